// The errors of the client. Programs should check `code`, which is stable; `detail` is for people.

/** There was no response: the address is wrong, the network is down, or it took too long. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** An error response of the API; docs/refusals.md lists the codes. */
export class Problem extends Error {
  override readonly name = "Problem";
  readonly status: number;
  /** A stable code such as `event_full`; `http_<status>` if the response has none. */
  readonly code: string;
  /** A sentence for people, in the language of the client. */
  readonly detail: string;
  /** One entry for each defect: which `field`, which `n` comes next, which rule was broken … */
  readonly details: readonly unknown[];

  constructor(status: number, code: string, detail: string, details: readonly unknown[] = []) {
    super(`${status} ${code}: ${detail}`);
    this.status = status;
    this.code = code;
    this.detail = detail;
    this.details = details;
  }
}

/** Return the error for a response, even if its body is not JSON, such as a proxy's error page. */
export async function problemOf(response: Response): Promise<Problem> {
  const told: unknown = await response.json().catch(() => null);
  const { code, detail, details } = (told ?? {}) as { code?: unknown; detail?: unknown; details?: unknown };
  return new Problem(
    response.status,
    typeof code === "string" ? code : `http_${response.status}`,
    typeof detail === "string" ? detail : "",
    Array.isArray(details) ? details : [],
  );
}
