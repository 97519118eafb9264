"""The routes of the service."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Annotated, Any

from fastapi import FastAPI, Query, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.cors import CORSMiddleware
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.types import ASGIApp, Receive, Scope, Send

from treewright import __version__
from treewright.alignment import AlignmentSettings
from treewright.compression import Input, item_of
from treewright.errors import DataError, TreewrightError
from treewright.service import problems, warm
from treewright.service.gate import STREAM, Gate
from treewright.service.lines import LineStream
from treewright.service.metrics import Metrics
from treewright.service.pool import BusyError, Pool
from treewright.service.problems import ProblemError
from treewright.service.schemas import (
    AlignAnswer,
    AlignBody,
    CompressBody,
    ModelsAnswer,
    ParseBody,
    Problem,
    QueryBody,
    request_of,
)
from treewright.service.settings import Settings
from treewright.service.work import (
    Aligning,
    Answer,
    Job,
    Parsing,
    Shortening,
    Warming,
    Work,
)

PAGE = Path(__file__).with_name("page")
FILES = {
    "/": ("index.html", "text/html; charset=utf-8"),
    "/docs": ("docs.html", "text/html; charset=utf-8"),
    "/page/page.css": ("page.css", "text/css; charset=utf-8"),
    "/page/icon.svg": ("icon.svg", "image/svg+xml"),
    **{
        f"/page/{name}.js": (f"{name}.js", "text/javascript; charset=utf-8")
        for name in ("page", "view", "tree", "files", "docs")
    },
}
LOG = logging.getLogger("treewright.service")
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"content": {problems.MEDIA_TYPE: {"schema": Problem.model_json_schema()}}}
    | {"description": title}
    for status, title in (
        (400, "The body is not JSON"),
        (401, "A valid token is needed"),
        (413, "The request is too large"),
        (415, "The body has the wrong media type"),
        (421, "The service is not known by this name"),
        (422, "The request makes no sense, or the text cannot be processed"),
        (429, "Too many requests are waiting"),
        (503, "The work took too long or was lost"),
    )
}


class Service:
    """The application with its pool, which is started and stopped with it."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        warm.announce(Work(settings.models, settings.remember))
        self.pool: Pool[Job, Answer] = Pool(
            warm.do,
            Warming(),
            size=settings.workers,
            queue=settings.queue,
            seconds=settings.seconds,
            preload=(warm.__name__,),
        )
        self.metrics = Metrics(self.pool)
        self.streams = 0
        self.is_ready = False

    @asynccontextmanager
    async def lifespan(self, app: FastAPI) -> AsyncIterator[None]:
        """Listen at once, be ready when all workers are warm, and stop when all work is done."""
        starting = asyncio.create_task(self._start())
        try:
            yield
        finally:
            self.is_ready = False
            starting.cancel()
            with suppress(asyncio.CancelledError):
                await starting
            await self.pool.stop()

    async def _start(self) -> None:
        try:
            await self.pool.start()
        except Exception as error:
            LOG.error("the workers do not start: %s", type(error).__name__)
            raise
        self.is_ready = True
        LOG.info("ready: %d workers", self.pool.size)

    async def run(self, request: Request, job: Job) -> Response:
        """Let a worker do a job, unless whoever asked is gone before it begins."""
        doing = asyncio.create_task(self.pool.run(job))
        leaving = asyncio.create_task(_gone(request))
        try:
            await asyncio.wait([doing, leaving], return_when=asyncio.FIRST_COMPLETED)
            if not doing.done():
                return Response(status_code=499)
            answer = doing.result()
        finally:
            doing.cancel()
            leaving.cancel()
        if answer.failed is not None:
            return problems.respond(problems.UNPROCESSABLE, answer.failed)
        return Response(answer.body, media_type="application/json")

    def accept(self, items: Sequence[Input]) -> None:
        """Count the characters of texts, and refuse too many."""
        total = sum(item.size for item in items)
        if total > self.settings.max_chars:
            detail = f"{total} characters of text; send at most {self.settings.max_chars} at a time"
            raise ProblemError(problems.TOO_LARGE, detail)
        self.metrics.characters.inc(total)

    def model(self, name: str | None) -> str:
        """Return the name of a model that the service has."""
        models = self.settings.models
        if name is None:
            return next(iter(models))
        if name not in models:
            detail = f"there is no model of this name; choose one of: {', '.join(models)}"
            raise ProblemError(problems.INVALID, detail)
        return name


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def make_app(settings: Settings) -> ASGIApp:
    """Return the application, behind its gate."""
    service = Service(settings)
    app = FastAPI(
        title="Treewright",
        version=__version__,
        description="Shortens text by deleting words, and shows why.",
        lifespan=service.lifespan,
        openapi_url="/v1/openapi.json",
        docs_url=None,
        redoc_url=None,
        responses=_PROBLEMS,
    )
    app.state.service = service
    _handle_errors(app)
    _add_work(app, service)
    _add_state(app, service)
    for path, (name, kind) in FILES.items():
        app.add_api_route(path, _file(PAGE / name, kind), include_in_schema=False)
    if settings.origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=list(settings.origins),
            allow_methods=["GET", "POST"],
            allow_headers=["Authorization", "Content-Type"],
        )
    gate = Gate(app, settings, service.metrics, service.pool)
    app.state.gate = gate
    gate.state = app.state  # type: ignore[attr-defined]
    return gate


def _handle_errors(app: FastAPI) -> None:
    async def problem(request: Request, error: Exception) -> Response:
        return problems.respond_to(error)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError)
        mistakes = error.errors()
        kind = problems.INVALID
        if any(each["type"] == "json_invalid" for each in mistakes):
            kind = problems.MALFORMED
        return problems.respond(kind, problems.describe_mistakes(list(mistakes)))

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        known = {kind.status: kind for kind in (problems.NOT_FOUND, problems.NOT_ALLOWED)}
        other = problems.MALFORMED._replace(status=error.status_code)
        kind = known.get(error.status_code, other)
        return problems.respond(kind, "see /docs for what there is", error.headers)

    app.add_exception_handler(TreewrightError, problem)
    app.add_exception_handler(ProblemError, problem)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, plain)


def _add_work(app: FastAPI, service: Service) -> None:
    @app.post("/v1/compress", summary="Shorten a text, or several")
    async def compress(request: Request, body: CompressBody) -> Response:
        if (body.text is None) == (body.texts is None):
            raise ProblemError(problems.INVALID, "give either text or texts")
        alone = body.text is not None
        items = [item_of(each) for each in ([body.text] if alone else body.texts or ())]
        if alone and isinstance(items[0].text, DataError):
            return problems.respond(problems.UNPROCESSABLE, str(items[0].text))
        service.accept(items)
        job = Shortening(
            items,
            request_of(body),
            service.model(body.model),
            format=body.format,
            alone=alone,
            diff=body.diff,
        )
        return await service.run(request, job)

    @app.post(
        STREAM,
        summary="Shorten a stream of JSON Lines",
        openapi_extra={
            "requestBody": {"content": {"application/jsonl": {"schema": {"type": "string"}}}}
        },
    )
    async def compress_stream(request: Request, options: Annotated[QueryBody, Query()]) -> Response:
        template = Shortening(
            (), request_of(options), service.model(options.model), diff=options.diff
        )
        if service.streams >= service.settings.streams:
            raise BusyError(1)
        return _Streaming(service, template)

    @app.post("/v1/parse", summary="Parse a text")
    async def parse(request: Request, body: ParseBody) -> Response:
        item = item_of(body.text)
        if isinstance(item.text, DataError):
            return problems.respond(problems.UNPROCESSABLE, str(item.text))
        service.accept([item])
        return await service.run(request, Parsing(body.text))

    @app.post(
        "/v1/align",
        summary="Link the words of sentences and their translations",
        responses={200: {"model": AlignAnswer}},
    )
    async def align(request: Request, body: AlignBody) -> Response:
        sources = [_words(pair.source) for pair in body.pairs]
        targets = [_words(pair.target) for pair in body.pairs]
        text = [" ".join(words) for words in (*sources, *targets)]
        service.accept([Input(each, each, "") for each in text])
        settings = AlignmentSettings(
            method=body.method,
            symmetrize=body.symmetrize,
            threshold=body.threshold,
            seed=body.seed,
        )
        return await service.run(request, Aligning(sources, targets, settings))


def _words(side: str | list[str]) -> list[str]:
    item = item_of(side)
    if isinstance(item.text, DataError):
        raise ProblemError(problems.UNPROCESSABLE, str(item.text))
    return item.raw.split()


class _Streaming(Response):
    """The answer to a stream; it reads the body while it is written."""

    def __init__(self, service: Service, template: Shortening) -> None:
        super().__init__()
        self.service = service
        self.template = template

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        service = self.service
        service.streams += 1
        try:
            count = service.metrics.characters.inc
            await LineStream(service.pool, self.template, receive, send, count).run()
        finally:
            service.streams -= 1


def _add_state(app: FastAPI, service: Service) -> None:
    @app.get("/v1/models", summary="The models that requests can name")
    async def models() -> ModelsAnswer:
        names = list(service.settings.models)
        found = [{"name": name, "default": name == names[0]} for name in names]
        return ModelsAnswer.model_validate({"models": found})

    @app.get("/healthz", summary="Whether the service runs")
    async def healthz() -> dict[str, str]:
        return {"status": "running", "version": __version__}

    @app.get("/readyz", summary="Whether the workers are warm")
    async def readyz() -> Response:
        pool = service.pool
        ready = service.is_ready and pool.ready > 0
        state = {"ready": ready, "workers": pool.ready, "waiting": pool.waiting}
        return JSONResponse(state, 200 if ready else 503)

    @app.get("/metrics", summary="Counters for Prometheus", include_in_schema=False)
    async def metrics() -> Response:
        return Response(service.metrics.written(), media_type="text/plain; version=0.0.4")


def _file(path: Path, kind: str) -> Callable[[], Awaitable[Response]]:
    async def send_file() -> Response:
        return FileResponse(path, media_type=kind, headers={"Cache-Control": "no-cache"})

    return send_file
