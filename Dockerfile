# One image for web, worker and beat; docker-compose.yml says which is which.

# The rules engine for browsers is Python too, run by Pyodide, which comes from npm.
FROM node:22-slim AS pyodide
WORKDIR /pyodide
COPY tools/browser_rules.py ./
RUN npm pack --silent "pyodide@$(sed -n 's/^PYODIDE = "\(.*\)"/\1/p' browser_rules.py)" && mv pyodide-*.tgz pyodide.tgz

FROM postgres:16-trixie AS postgresql

FROM python:3.11-slim-trixie AS build
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
RUN python -m venv /opt/venv
ENV PATH=/opt/venv/bin:$PATH
COPY requirements/base.txt requirements/tables.txt /tmp/
RUN pip install --requirement /tmp/base.txt --requirement /tmp/tables.txt
WORKDIR /app
COPY manage.py pyproject.toml ./
COPY engine engine
COPY templates templates
COPY tournaments tournaments
COPY tools/browser_rules.py tools/
COPY --from=pyodide /pyodide/pyodide.tgz /tmp/
RUN python tools/browser_rules.py --pyodide /tmp/pyodide.tgz && rm /tmp/pyodide.tgz
# The settings make a throw-away secret in VAR_DIR; only the static files of that folder go on.
RUN python -m tournaments.locale.messages compile \
    && VAR_DIR=/tmp/var python manage.py collectstatic --no-input --verbosity 0 \
    && python -m compileall -q engine tournaments

FROM python:3.11-slim-trixie
# `age` and the client of PostgreSQL for backups. The client is that of the server in docker-compose.yml: an older one does
# not dump it, and what the newer one of Debian restores, the server refuses.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends age libpq5 liblz4-1 libzstd1 zlib1g \
    && rm -rf /var/lib/apt/lists/*
COPY --from=postgresql /usr/lib/postgresql/16/bin/pg_dump /usr/lib/postgresql/16/bin/pg_restore /usr/local/bin/
ENV PATH=/opt/venv/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 VAR_DIR=/var/lib/arbitre
RUN useradd --system --uid 10001 --home-dir /var/lib/arbitre --create-home arbitre
COPY --from=build /opt/venv /opt/venv
COPY --from=build /app /app
COPY --from=build --chown=arbitre /tmp/var/static /var/lib/arbitre/static
# A volume that is mounted there takes over the owner.
RUN install --directory --owner=arbitre --mode=0700 /var/lib/arbitre/mail /var/lib/arbitre/erased /var/lib/arbitre/backups
WORKDIR /app
COPY deploy/health.sh deploy/
USER arbitre
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s --retries=4 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8000/healthz', timeout=4)"]
CMD ["uvicorn", "tournaments.config.asgi:application", "--host", "0.0.0.0", "--port", "8000", "--no-access-log", "--no-proxy-headers"]
