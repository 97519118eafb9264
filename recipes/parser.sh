#!/usr/bin/env bash
# How the parser in the package was made: a teacher, its labels of raw news text, the parser.
#
#   bash recipes/parser.sh DATA ENCODER WORK
#
# DATA is the data folder (treebank/, compression/); ENCODER a folder with a pretrained transformer as
# `transformers` saves it (all-MiniLM-L6-v2); WORK takes what is made on the way. About three hours of
# one core; the same machine and versions give the same bytes.
set -euo pipefail
data=$1 encoder=$2 work=$3
export OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1
mkdir -p "$work"
