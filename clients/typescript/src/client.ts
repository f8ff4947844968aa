// The API as one class: every operation of the schema with its types, idempotency keys, retries, pages and the live stream.

import { NoAnswer, Problem, problemOf } from "./errors.ts";
import { OPERATIONS } from "./schema.ts";
import type { Operations } from "./schema.ts";
import { sleep } from "./sleep.ts";
import { changes } from "./stream.ts";
import type { Change, StreamSettings } from "./stream.ts";

export { NoAnswer, Problem } from "./errors.ts";
export type * as Schema from "./schema.ts";
export type { Change, StreamSettings } from "./stream.ts";

export interface Settings {
  /** A token of the account; without one, only public data can be read. */
  token?: string;
  /** The language of the messages in errors: `en`, `fr` or `it`. */
  language?: string;
  /** How often a request is sent at most. */
  attempts?: number;
  /** How many seconds to wait between the attempts of a request at most, in total. */
  patience?: number;
  /** Seconds for one attempt. */
  timeout?: number;
}

export interface CallSettings {
  /** The idempotency key of a write; made up if left out. Pass one to send the write again yourself. */
  key?: string;
  /** Ends the call, with its waiting. */
  signal?: AbortSignal;
}

export type Operation = keyof Operations;
export type Answer<O extends Operation> = Operations[O]["answer"];
/** What a call of an operation takes; nothing has to be passed if nothing is required. */
export type Args<O extends Operation> = {} extends Operations[O]["args"]
  ? [args?: Operations[O]["args"] & CallSettings]
  : [args: Operations[O]["args"] & CallSettings];
/** The rows of an operation that answers in pages; `never` for any other. */
export type Row<O extends Operation> = Answer<O> extends Page<infer R> ? R : never;
export type Paged = { [O in Operation]: [Row<O>] extends [never] ? never : O }[Operation];

type Page<R> = { count: number; next: string | null; results: R[] };
type Values = Record<string, string | number | boolean | null | undefined>;
type Outcome = { answer: unknown } | { error: Problem | NoAnswer; wait?: number | undefined };
type Given = CallSettings & { path?: Values; query?: Values; body?: unknown };

const PAGE = 100;
const FIRST_WAIT = 0.5; // seconds; twice as many before each further attempt

/** A connection to the API of one site, with the token of one account. */
export class Client {
  readonly #base: string;
  readonly #settings: Required<Settings>;

  /** `base` is the address of the site, without the path of the API. */
  constructor(base: string, settings: Settings = {}) {
    this.#base = base.replace(/\/+$/, "");
    this.#settings = { token: "", language: "en", attempts: 5, patience: 120, timeout: 30, ...settings };
  }

  /**
   * Call an operation of the API and return its answer; null if there is none.
   *
   * A write has an idempotency key, the same for all attempts. Responses with status 429 or 503, "still in progress" and
   * missing responses are tried again. Throws `Problem` for an error response, `NoAnswer` if there was none.
   */
  async call<O extends Operation>(operation: O, ...[args]: Args<O>): Promise<Answer<O>> {
    const given: Given = args ?? {};
    const [method, path] = OPERATIONS[operation];
    const answer = await this.#send(this.#base + filled(path, given), this.#request(method, given), given.signal);
    return answer as Answer<O>;
  }

  /** Iterate over all rows of a list that comes in pages; each page is fetched when its first row is needed. */
  async *pages<O extends Paged>(operation: O, ...[args]: Args<O>): AsyncGenerator<Row<O>, void> {
    const given: Given = args ?? {};
    for (let offset = 0; ; ) {
      const query = { limit: PAGE, ...given.query, offset };
      const answer: unknown = await this.call(operation, ...([{ ...given, query }] as unknown as Args<O>));
      const page = answer as Page<Row<O>>;
      yield* page.results;
      offset += page.results.length;
      if (page.next === null || !page.results.length) return; // an empty page would be requested again forever
    }
  }

  /**
   * Iterate over the changes of an event as they happen, until the loop is left or `signal` is aborted.
   *
   * A lost connection is opened again and continues after the last change that arrived. The stream is that of the
   * event's public page: it tells that something changed, not what it is now. Throws `Problem` if there is no such page.
   */
  stream(event: string, settings: StreamSettings = {}): AsyncGenerator<Change, void> {
    return changes(this.#base, event, settings);
  }

  #request(method: string, { body, key }: Given): RequestInit {
    const { token, language } = this.#settings;
    const headers: Record<string, string> = { Accept: "*/*", "Accept-Language": language };
    if (token) headers["Authorization"] = `Bearer ${token}`;
    if (method !== "GET") headers["Idempotency-Key"] = key ?? madeUpKey();
    if (body === undefined) return { method, headers };
    const file = typeof body === "string" ? new Blob([body]) : body;
    const binary = file instanceof Blob;
    headers["Content-Type"] = binary ? file.type || "application/octet-stream" : "application/json";
    return { method, headers, body: binary ? file : JSON.stringify(body) };
  }

  async #send(url: string, request: RequestInit, signal?: AbortSignal): Promise<unknown> {
    const { attempts, patience } = this.#settings;
    for (let attempt = 1, waited = 0; ; attempt += 1) {
      const outcome = await this.#once(url, request, signal);
      if ("answer" in outcome) return outcome.answer;
      const { error, wait = FIRST_WAIT * 2 ** (attempt - 1) } = outcome;
      if (!comesLater(error) || attempt >= attempts || waited + wait > patience) throw error;
      await sleep(wait, signal);
      waited += wait;
    }
  }

  async #once(url: string, request: RequestInit, signal?: AbortSignal): Promise<Outcome> {
    const timeout = AbortSignal.timeout(this.#settings.timeout * 1000);
    try {
      const response = await fetch(url, { ...request, signal: signal ? AbortSignal.any([signal, timeout]) : timeout });
      if (response.ok) return { answer: await bodyOf(response) };
      return { error: await problemOf(response), wait: askedWait(response) };
    } catch (error) {
      signal?.throwIfAborted();
      return { error: new NoAnswer(String(error), { cause: error }) };
    }
  }
}

/** A new idempotency key. `crypto.randomUUID` is missing in Node 18, and on pages without TLS. */
function madeUpKey(): string {
  return [1, 2, 3].map(() => Math.random().toString(36).slice(2)).join("-");
}

/** The path with its values filled in, and the query. */
function filled(path: string, { path: values = {}, query = {} }: Given): string {
  const found = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
  const search = new URLSearchParams(found.map(([name, value]) => [name, String(value)])).toString();
  const place = path.replace(/\{(\w+)\}/g, (_whole, name: string) => encodeURIComponent(String(values[name])));
  return search ? `${place}?${search}` : place;
}

/** JSON as its value, text as a string, a file as a Blob; null if there is nothing. */
async function bodyOf(response: Response): Promise<unknown> {
  const kind = response.headers.get("Content-Type") ?? "";
  if (response.status === 204 || !kind) return null;
  if (kind.includes("json")) return response.json();
  return kind.startsWith("text/") ? response.text() : response.blob();
}

/** Whether to try again: no response, a busy server, or one that is still working on an earlier attempt. */
function comesLater(error: Problem | NoAnswer): boolean {
  return error instanceof NoAnswer || error.status === 429 || error.status === 503 || error.code === "in_progress";
}

/** Seconds that the server asks to wait (a number or a date), if it does. */
function askedWait(response: Response): number | undefined {
  const said = response.headers.get("Retry-After") ?? "";
  if (/^\d+$/.test(said)) return Number(said);
  const until = Date.parse(said);
  return Number.isNaN(until) ? undefined : Math.max(0, (until - Date.now()) / 1000);
}
