"""Which lines of a text are program code or data: judged by how they begin and end, and by signs.

Prose that mentions code is prose: what is in backticks does not count.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

_LONGEST = 400
"""Characters of a line that are looked at, half of them at its end."""
_FENCE = re.compile(r"\s{0,3}(?:>\s?)*(?P<mark>`{3,}|~{3,})[^`]*$")
_QUOTED = re.compile(r"`[^`]*`")
_SUSPECT = re.compile(r"[][{}=;<>$@\\_|(/]|:$|--|\.\.|:\d\d:")
_STARTS = re.compile(
    r"\s+\S|[A-Z]{4,6}\s|(?:sudo|pip|npm|npx|git|apt|yarn|brew|curl|wget|docker|kubectl|cargo|chmod"
    r"|mkdir|import|from|def|class|fi|done|esac)\b|Caused by:|(?:\w+\.)*\w*(?:Error|Exception)\b"
)
"""What every line that is surely code has, in it or at its start, and few lines of prose."""

_PROGRAM = r"""
    \#!/.* | \#include\s*[<"].* | \#(?:if|ifdef|ifndef|define|endif|pragma)\b.* | <\?php.*
    | (?:async\s+)?def\s+\w+(?:\s*\(.*|\s*$)
    | class\s+\w+\s*(?:\(.*\)\s*:|:|\{|<\s*\w+|(?:extends|implements)\s.*)\s*$
    | from\s+[\w.]+\s+import\s+[\w(*].* | import\s+[\w.]+\s+as\s+\w+ | import\s+[\w.*]+\s*;
    | import\s+.+\s+from\s+['"].*
    | (?:if|elif|while|for|with|except|switch|catch|foreach)\b.*(?:\w\(|[=\[<>.]\S|\(\$?\w+).*[:{]
    | (?:if|while|for|switch)\s*\(.*\)\s*\S.*[;{] | for\s+\S+\s+in\s.*;\s*do
    | if\s+\[\s.*\]\s*;\s*then | (?:else|try|finally|do)\s*[:{] | \}\s*(?:else|catch|finally)\b.*
    | return\b\s*[\w.]*[;(\[{].* | return\s.*(?:;|\w\(.*\)) | raise\s+\w+\(.* | throw\s+new\s.*
    | (?:const|let|var|val|auto)\s+(?:mut\s+)?[\w{\[][^=]*=.*
    | (?:export\s+)?(?:default\s+)?(?:async\s+)?function\b\s*\w*\s*\(.*
    | (?:pub\s+)?(?:fn|fun|func)\s+(?:\(.*\)\s*)?\w+\s*[(<].*
    | (?:public|private|protected|static|final|abstract|override)\s.*(?:\w\(.*|=.*|class\s.*)[({;]
    | (?:public|private|protected)\s(?:static\s|final\s)*[\w<>\[\],.]+\s\w+;
    | package\s+[\w.]+; | using\s+[A-Z][\w.]*; | use\s+\w+(?:(?:::|\\)[\w{},* ]+)+;
    | namespace\s+[\w.\\]+\s*[;{]
    | (?:int|long|float|double|char|void|bool|string|String|unsigned|struct|enum)\s+[*&\w\[\]]+
      \s*(?:[;={(]|,\s).*[;{(,)]
    | (?:print|printf|println!?|echo|console\.log|System\.out\.\w+|fmt\.\w+|puts)\s?\(.*
    | [A-Za-z_][\w:<>*&]*\s+[*&]*[A-Za-z_][\w:]*\((?!e?s\))[^.]*\)(?:\s*const)?\s*[;{]
    | @\w+(?:\.\w+)*\(.*\) | @(?:property|classmethod|staticmethod|Override|Test|Autowired)
"""
_LAYOUT = r"""
    [\w.$\[\]"'>-]+\s*(?:[-+*/|&]?=|:=)\s*[^=\s].*[;({\[)\]}"'\d]\s*,?
    | [\w.$]+\s*(?::=|\+=|-=|\*=)\s*\S+ | [a-z_$][\w$.]*\s=\s[\w$.]+(?:\s[-+*/%]\s[\w$.]+)*
    | [A-Za-z_$][\w$!]*(?:(?:\.|->|::)[\w$!]+)*\([^()]*(?:\([^()]*\)[^()]*)*\)\s*[;,{]
    | [a-z_$][\w$]*(?:(?:\.|->|::)[\w$]+)+\(.*\)?[^.?!\w]*
    | </?[A-Za-z][\w:-]*(?:\s+[\w:@-]+(?:=(?:"[^"]*"|'[^']*'|\{.*\}))?)*\s*/?>(?:.*>)?
    | <!--.*--> | <\?xml\b.* | <!DOCTYPE\b.*
    | [.\#]?[\w:,.\#> -]+\s\{ | [a-z-]+:\s[^;:]+;
"""
_SQL = r"""
    SELECT\s(?:.*\sFROM\s.*|\*.*|DISTINCT\s.*|\w+(?:[._]\w+)?,.*|.*\w\.\w.*)
    | INSERT\s+INTO\s.+ | DELETE\s+FROM\s.+ | UPDATE\s+\w+\s+SET\s+\w+\s*=.*
    | (?:CREATE|ALTER|DROP)\s+(?:OR\s+REPLACE\s+)?(?:TABLE|VIEW|INDEX|DATABASE)\s.+
    | select\s.+\sfrom\s.+(?:\swhere\s.+[=<>].*|;)
"""
_SHELL = r"""
    [$%]\s+(?:sudo\s+)?[a-z][\w./-]*(?:\s+\S.*)?[^.?!,\s] | \w+@[\w.-]+:\S*[$\#]\s.*
    | (?:sudo\s+)?(?:pip3?|npm|npx|yarn|git|apt|apt-get|brew|curl|wget|docker|kubectl|chmod
      |mkdir)\s(?:\S+\s)*(?:-{1,2}\w\S*|\S*[/=]\S*|\S+\.\w+)(?:\s+\S+)*[^\s.?!,:;]
    | (?:pip3?|npm|npx|yarn|git|apt|apt-get|brew|docker|kubectl|cargo)\s
      (?:install|run|add|commit|push|pull|clone|checkout|build|test|init|get|update|apply)
      (?:\s[\w@./:-]+){0,2}
    | echo\s+(?:-\w+\s+)?["'$].* | [A-Za-z_]\w*=(?:\S+|["'$`(].*) | \w+\(\)\s*\{? | case\s.*\sin
    | (?:if|while)\s.*;\s*(?:then|do) | cat\s*>.*<<.*
    | export\s+[A-Z_]+=.* | (?:fi|done|esac)\s*;?
    | .*\s\|\s*(?:grep|awk|sed|sort|uniq|head|tail|wc|xargs)\s.*
"""
_TRACES = r"""
    diff\s--git\s.* | @@\s-\d.*@@.* | (?:\+\+\+|---)\s[ab]?/.* | index\s[0-9a-f]{6,}\.\.[0-9a-f]+.*
    | Traceback\s\(most\srecent\scall\slast\):.* | File\s".+",\sline\s\d+.*
    | at\s.*\(.*:\d+\) | at\s(?:[\w$<>]+[.:]+)+[\w$<>]+(?:\(.*\))?
    | Exception\sin\sthread\s.* | (?:Caused\sby:\s*)?(?:\w+\.)*\w+(?:Error|Exception)(?::\s.*|\s*)
    | goroutine\s\d+\s\[.* | thread\s'.*'\spanicked\b.*
    | \[?\d{4}-\d\d-\d\d[T\s]\d\d:\d\d:\d\d\S*\s+\[?(?:DEBUG|INFO|WARN|ERROR|FATAL|TRACE|NOTICE).*
"""
_DATA = r"""
    "[^"]+"\s*:\s*(?:["\[{\d-]|true\b|false\b|null\b).*
"""
_SURE = re.compile(
    rf"\s*(?:{'|'.join([_PROGRAM, _LAYOUT, _SQL, _SHELL, _TRACES, _DATA])})\s*$", re.VERBOSE
)
_LIKELY = re.compile(
    r"""\s*(?:
    [{}()\[\]<>/]+[;,]? | .*[{;\\([] | .*\)\s*[:{] | //.* | /\*.* | \*/?(?:\s.*)? | --\s.* | \#.*
    | ["']{3}.* | [+-]\S.* | import\s+\S+ | package\s+\w+ | (?:from|use|using|require)\s+[\w.:"']+
    | (?:pass|break|continue|end|begin|then|nil|else|try|return)
    | [\w.$\[\]"'-]+\s*(?:[-+*/|&]?=|:=)\s*\S.* | @?[\w$.]+\(.*\)?(?:\.\w+)* | </?\w.*>
    | (?:if|elif|for|while|with|except)\s.*: | set\s-\w.*
    | (?:-\s+)?[a-z_][\w.-]*:(?:\s+\S+(?:\s+\S+){0,3})? | -\s+[\w./:"'@-]+
    | (?:FROM|WHERE|AND|OR|(?:LEFT|RIGHT|INNER|OUTER)?\s*JOIN|ON|GROUP\s+BY|ORDER\s+BY|HAVING|LIMIT
      |VALUES|SET|RETURNING|UNION)\b.*
    | \.\.\.\s\d+\smore | ["'\[{(].*["'\]})] | \[.*\]
    )\s*$""",
    re.VERBOSE,
)
_INSIDE = re.compile(r"\s{4}|\t|\s*(?://|/\*|\#|--\s)|\s+\*(?:\s|$)")
"""How a line begins that is part of the code around it, whatever it says."""
_DATA_KEY = re.compile(r"\s*(?:-\s+)?[a-z_][a-z0-9_.-]*:(?:\s+[^\s].*)?$")
_SIGNS = re.compile(
    r"=>|->|::|&&|\|\||[!=]==?(?!=)|\+\+|[-+*/]=(?!=)|</|/>|\(\)|\[\]|\{\}|\w\[\w|\w\(\w|[{};]"
)
_PLAIN_WORD = re.compile(r"(?<![\w.$/(\[-])[A-Za-z]+(?=[\s,.;:?!]|$)")
_DENSE = 3
"""Signs of code that make a line code if it has no more plain words than these."""
_SENTENCE = 8
"""Plain words that make a line prose if it also ends like prose and has few signs."""

_PROSE, _LIKE, _CODE, _BLANK = range(4)


def code_lines(lines: Sequence[str]) -> list[bool]:
    """Say for each line whether it is code: surely so, or likely so and next to such a line."""
    if len(lines) == 1:
        return [is_code(lines[0])]
    fenced = _fenced(lines)
    sure = [inside or is_code(line) for line, inside in zip(lines, fenced, strict=True)]
    _add_keys(lines, sure)
    if sure == fenced:
        return sure
    looks = [_CODE if known else _look(line) for line, known in zip(lines, sure, strict=True)]
    for place, inside in enumerate(fenced):
        if inside:
            # A fence says where code ends, so nothing beside it is drawn in.
            looks[place] = _PROSE
    for order in (range(len(lines)), range(len(lines) - 1, -1, -1)):
        _spread(looks, order)
    _fill(lines, looks)
    return [inside or look == _CODE for inside, look in zip(fenced, looks, strict=True)]


def is_code(line: str) -> bool:
    """Whether a line is surely code, even if it stands alone."""
    line = _bare(line)
    suspect = len(_SUSPECT.findall(line))
    if not suspect and not _STARTS.match(line):
        return False
    if _SURE.match(line):
        return not _is_sentence(line)
    if suspect < _DENSE:
        return False
    signs = len(_SIGNS.findall(line))
    words = len(_PLAIN_WORD.findall(line))
    return (signs >= max(_DENSE, words) and words > 0) or _is_json(line)


def _is_sentence(line: str) -> bool:
    """Whether a line is prose whatever it begins with: it has many words and ends like prose."""
    if line.rstrip()[-1:] not in (".", "?", "!", ","):
        return False
    return len(_PLAIN_WORD.findall(line)) >= _SENTENCE > _DENSE * len(_SIGNS.findall(line))


def _look(line: str) -> int:
    """Return what a line may be that is not surely code."""
    if not line.strip():
        return _BLANK
    line = _bare(line)
    if _is_sentence(line):
        return _PROSE
    if _LIKELY.match(line) or line[0] == "\t" or line.startswith("  "):
        return _LIKE
    signs = len(_SIGNS.findall(line))
    return _LIKE if signs and signs >= len(_PLAIN_WORD.findall(line)) else _PROSE


def _bare(line: str) -> str:
    """Return a line without what it quotes, and without the middle if it is very long."""
    if len(line) > _LONGEST:
        line = line[: _LONGEST // 2] + line[-_LONGEST // 2 :]
    return _QUOTED.sub("x", line) if "`" in line else line


def _fenced(lines: Sequence[str]) -> list[bool]:
    """Say for each line whether it is in a fenced block, to which the fences belong."""
    inside: list[bool] = []
    mark = ""
    for line in lines:
        found = _FENCE.match(line) if "```" in line or "~~~" in line else None
        inside.append(bool(mark) or found is not None)
        if found is not None and not mark:
            mark = found["mark"]
        elif found is not None and found["mark"].startswith(mark):
            mark = ""
    return inside


def _is_json(line: str) -> bool:
    """Whether a line is an object or a list of JSON; a number in brackets may be a citation."""
    text = line.strip().rstrip(",")
    if text[:1] + text[-1:] not in ("{}", "[]") or '"' not in text:
        return False
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


def _add_keys(lines: Sequence[str], sure: list[bool]) -> None:
    """Mark lines such as `name: value` as code if there are several, and not in sentences."""
    keys = [_DATA_KEY.match(line) is not None for line in lines]
    for place in range(1, len(lines)):
        pair = lines[place - 1 : place + 1]
        nested = any(line[:1] == " " or "_" in line or line.endswith(":") for line in pair)
        if keys[place] and keys[place - 1] and nested:
            sure[place - 1] = sure[place] = True


def _spread(looks: list[int], order: range) -> None:
    """Make what is likely code after a line of code, in this order, code too."""
    last = -1
    for place in order:
        look = looks[place]
        if look == _PROSE or (look == _LIKE and last < 0):
            last = -1
        elif look != _BLANK:
            if last >= 0:
                low, high = sorted((last, place))
                looks[low : high + 1] = [_CODE] * (high - low + 1)
            looks[place] = _CODE
            last = place


def _fill(lines: Sequence[str], looks: list[int]) -> None:
    """Make comments and indented lines between two lines of code part of it, even sentences."""
    last = -1
    for place, look in enumerate(looks):
        if look == _CODE:
            if last >= 0:
                looks[last:place] = [_CODE] * (place - last)
            last = place
        elif look == _PROSE and not _INSIDE.match(lines[place]):
            last = -1
