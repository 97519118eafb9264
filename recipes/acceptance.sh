#!/usr/bin/env bash
# Adds to the shipped models the estimate of what readers accept (docs/compress.md).
#
#   bash recipes/acceptance.sh NEWS.model HEADLINE.model [DATA] [SURPRISES] [ENCODER]
#
# ENCODER is a pretrained transformer, for a teacher's opinions beside the verdicts (opinions.py); it
# takes an hour of a core. Both models learn from the same ones.
# SURPRISES is made by recipes/surprises.py; without it, what the models know of surprises is kept,
# if they know anything: the shipped ones do without.
# verdicts.jsonl holds our own sentences, versions of them, and what readers said of each. Counts of
# neighbours come from running text, prices of grammar from what people left of sentences.
set -euo pipefail
data=${3:-../shared/data}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
gunzip -c "$data/compression/google-large.train.jsonl.gz" > "$work/leads.jsonl"
gunzip -c "$data/paraphrase/corpus/wikipedia.txt.gz" | awk 'NR % 12 == 0 && ++n <= 12000' > "$work/text.txt"
if [ -n "${5:-}" ]; then
  python "$(dirname "$0")/opinions.py" "$data" "$1" "$5" > "$work/opinions.jsonl"
fi
for model in "$1" "$2"; do
  treewright train acceptance "$(dirname "$0")/verdicts.jsonl" --base "$model" --model "$work/out" --layers \
    --text "$work/leads.jsonl" --text "$work/text.txt" \
    --pairs "$data/compression/broadcast.train.jsonl" \
    --pairs "$data/compression/written.train.jsonl" \
    ${4:+--surprises "$4"} ${5:+--opinions "$work/opinions.jsonl"}
  mv "$work/out" "$model"
done
