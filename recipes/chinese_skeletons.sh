#!/usr/bin/env bash
# How Chinese sentences get skeletons: English skeletons, carried over word links, teach a CRF on Chinese trees.
#
#   bash recipes/chinese_skeletons.sh DATA WORK
#
# DATA: the data folder (translation/zh-en/). WORK: what is made on the way; at the end, chinese.crf and the skeletons of
# the training text and the dev sets. docs/skeletons.md has the figures.
set -euo pipefail
text=$1/translation/zh-en work=$2
mkdir -p "$work" && cd "$work"

treewright align "$text/train.zh" "$text/train.en" -o train.align
for part in train dev.news dev.captions dev.everyday; do
    treewright parse --tokenized --parser chinese "$text/$part.zh" -o "$part.trees"
done

# Every third pair of news (lines 1-9,999), every sixth of everyday sentences and captions.
sample() { awk '(NR < 10000 && NR % 3 == 0) || (NR >= 10000 && NR % 6 == 0)' "$1"; }
sample "$text/train.en" > sample.en
sample train.align > sample.align
sample train.trees > sample.trees

treewright skeleton sample.en --model news --rate 0.65 --jobs 2 --format positions -o sample.skeletons
treewright skeleton project sample.trees sample.en sample.align sample.skeletons -o pairs.jsonl
treewright train crf pairs.jsonl --iterations 100 --model chinese.crf

for part in train dev.news dev.captions dev.everyday; do
    treewright skeleton "$text/$part.zh" --model chinese.crf --parser "file=$part.trees" --rate 0.68 --jobs 2 \
        --format positions -o "$part.skeletons"
done
