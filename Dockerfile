# Treewright from its wheel, without a network:
#   pip wheel --wheel-dir wheels '.[serve,tokens]'   # once, where there is one; or any other extras
#   docker build --network none --tag treewright .
#   echo "A text, however long." | docker run --interactive --rm treewright compress
ARG PYTHON=3.12-slim
FROM python:${PYTHON} AS install
COPY wheels /wheels
RUN python -m venv /opt/treewright \
    && /opt/treewright/bin/pip install --no-cache-dir --no-index --find-links /wheels /wheels/treewright-*.whl

FROM python:${PYTHON}
COPY --from=install /opt/treewright /opt/treewright
# Nobody owns the packages, so compiled kernels are kept in the user's own folder.
RUN useradd --create-home --uid 1000 treewright && install --directory --owner treewright /var/cache/treewright
ENV PATH=/opt/treewright/bin:$PATH NUMBA_CACHE_DIR=/var/cache/treewright PYTHONDONTWRITEBYTECODE=1
USER treewright
WORKDIR /home/treewright
ENTRYPOINT ["treewright"]
CMD ["--help"]
