#!/usr/bin/env bash
# Makes news.model and headline.model: a first stage for both, a second for each, and what readers accept.
# The models in the package were made before this; their cards say how. ENCODER and google-large are used as soon as
# the recipes (src/treewright/compression/shipped_models/*.toml) name a teacher and google-large.train.
#
#   bash recipes/compressors.sh DATA ENCODER WORK
#
# DATA: the data folder. ENCODER: a pretrained transformer as `transformers` saves it (all-mpnet-base-v2).
# WORK: what is made on the way, and news.model and headline.model.
set -euo pipefail
data=$(cd "$1" && pwd) encoder=$(cd "$2" && pwd) work=$3
here=$(cd "$(dirname "$0")" && pwd)
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$work/kept" && cd "$work"

for corpus in broadcast written google; do
    ln -sf "$data/compression/$corpus.train.jsonl" .
done
python "$here/google_large.py" "$data/compression" > google-large.train.jsonl
for model in news headline; do
    treewright train --recipe "$model" --data . --encoder "$encoder" --keep kept --model "$model.model"
done
bash "$here/acceptance.sh" news.model headline.model "$data"
