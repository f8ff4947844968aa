// The live stream of an event: server-sent events, opened again whenever the connection is lost.

import { NoAnswer, Problem, problemOf } from "./errors.ts";
import { sleep } from "./sleep.ts";

/** A change of an event. */
export interface Change {
  /** Where the stream is after this change: pass it as `since` to continue from here. */
  id: string;
  /** The revision of the event, as in the API. */
  revision: number;
  /** What changed: `round`, `round-3`, `result`, `standings`, `table` … */
  topics: string[];
}

export interface StreamSettings {
  /** Continue after the change with this `id`, instead of starting with the next one. */
  since?: string;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** Seconds without a sign of life after which the connection counts as lost; the server sends one every 15. */
  silence?: number;
}

/** A message of a stream, as it is sent. */
interface Message {
  id: string;
  kind: string;
  data: string;
  /** Milliseconds to wait before the connection is opened again, if the server says so. */
  retry: string;
}

const LONGEST_WAIT = 60; // seconds

/** Yield the changes of an event until `signal` is aborted. */
export async function* changes(base: string, event: string, settings: StreamSettings): AsyncGenerator<Change, void> {
  const { signal, silence = 40 } = settings;
  let seen = settings.since ?? "";
  let address = "";
  let wait = 3; // seconds; twice as many after each further failure
  for (let failures = 0; !signal?.aborted; failures += 1) {
    try {
      address ||= await streamAddress(base, event, signal);
      for await (const { id, kind, data, retry } of messages(address, seen, silence, signal)) {
        failures = 0;
        if (retry) wait = Number(retry) / 1000;
        if (id) seen = id;
        if (kind === "revision") {
          const { revision, topics } = JSON.parse(data) as Change;
          yield { id, revision, topics };
        }
      }
    } catch (error) {
      if (signal?.aborted) return;
      if (error instanceof Problem && error.status === 403 && address) address = ""; // it is valid for twelve hours
      else if (error instanceof Problem && error.status < 500 && error.status !== 429) throw error;
    }
    await sleep(Math.min(wait * 2 ** failures, LONGEST_WAIT), signal).catch(() => undefined);
  }
}

/** The address of an event's stream, which its public page has. */
async function streamAddress(base: string, event: string, signal?: AbortSignal): Promise<string> {
  const response = await fetch(`${base}/e/${encodeURIComponent(event)}/`, { signal: signal ?? null });
  if (!response.ok) throw await problemOf(response);
  const found = /data-live-stream="([^"]+)"/.exec(await response.text())?.[1];
  if (!found) throw new Problem(404, "no_stream", "This event has no live stream.");
  return new URL(found.replaceAll("&amp;", "&"), base).href;
}

/** Yield the messages of one connection until it is lost. */
async function* messages(
  address: string,
  seen: string,
  silence: number,
  signal?: AbortSignal,
): AsyncGenerator<Message, void> {
  const lost = new AbortController();
  const either = signal ? AbortSignal.any([signal, lost.signal]) : lost.signal;
  const headers: Record<string, string> = { Accept: "text/event-stream" };
  if (seen) headers["Last-Event-ID"] = seen;
  let timer = setTimeout(() => lost.abort(), silence * 1000);
  try {
    const response = await fetch(address, { headers, signal: either });
    if (!response.ok) throw await problemOf(response);
    if (!response.body) throw new NoAnswer("The stream has no content.");
    for await (const block of blocks(response.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => lost.abort(), silence * 1000);
      yield parsed(block);
    }
  } finally {
    clearTimeout(timer);
    lost.abort(); // the loop may have been left while the connection was open
  }
}

/** Yield the blocks of a stream, which end with an empty line. */
async function* blocks(body: ReadableStream<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new TextDecoder();
  const reader = body.getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    text += decoder.decode(value, { stream: true });
    const whole = text.split("\n\n");
    text = whole.pop() ?? "";
    yield* whole;
  }
}

function parsed(block: string): Message {
  const fields = new Map(block.split("\n").map(split));
  const value = (name: string) => fields.get(name) ?? "";
  return { id: value("id"), kind: value("event"), data: value("data"), retry: value("retry") };
}

/** The name and the value of a line; the server writes each field of a message on one line. */
function split(line: string): [string, string] {
  const at = line.indexOf(":");
  return [line.slice(0, at), line.slice(at + 1).trimStart()];
}
