#!/usr/bin/env bash
# Makes news.model and headline.model, in two stages each, and adds what readers accept.
#
#   bash recipes/compressors.sh DATA WORK
#
# DATA: the data folder. WORK: what is made on the way, and news.model and headline.model.
set -euo pipefail
data=$(cd "$1" && pwd) work=$2
here=$(cd "$(dirname "$0")" && pwd)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$work/kept" && cd "$work"

for corpus in broadcast written google; do
    ln -sf "$data/compression/$corpus.train.jsonl" .
done
python "$here/google_large.py" "$data/compression" > google-large.train.jsonl
head -n 20000 google-large.train.jsonl > google-20k.train.jsonl
python "$here/editor.py" .
for model in news headline; do
    treewright train --recipe "$model" --data . --keep kept --model "$model.model"
done
bash "$here/acceptance.sh" news.model headline.model "$data"
