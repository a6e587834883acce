/** An alert of the crash test, as its administrator reads it. */
export interface Alert {
  readonly id: string;
  readonly batch: string;
  readonly score: number;
  readonly tags: readonly string[];
  readonly status: string;
  readonly assignment: string;
  readonly comments: readonly string[];
}

/** The program did not answer: it was killed before, while or after it did what it was asked. */
export class NoAnswer extends Error {}

const USER = 'admin';
const API_KEY = 'devkey:admin';
const AUTHORIZATION = `Basic ${Buffer.from(`${USER}:${API_KEY}`).toString('base64')}`;

interface StoredHit {
  readonly howler: {
    readonly id: string;
    readonly detection: string;
    readonly score?: number;
    readonly status: string;
    readonly assignment: string;
    readonly comment?: readonly { readonly value: string }[];
  };
  readonly tags?: readonly string[];
}

interface Answer<T> {
  readonly status: number;
  readonly body: T;
}

/**
 * One running program.
 * Every method throws NoAnswer when the program dies, and Error when it answers what it must not.
 */
export class AlertClient {
  readonly #base: string;
  readonly #run: string;

  /** `run` marks the alerts of this test. */
  constructor(base: string, run: string) {
    this.#base = base;
    this.#run = run;
  }

  /** Creates alerts with a detection that nothing else has; their identifiers. */
  async create(batch: string, count: number): Promise<string[]> {
    const alerts = Array.from({ length: count }, (_, index) => ({
      'howler.analytic': `Crash ${this.#run}`,
      'howler.detection': batch,
      'howler.score': 0,
      'event.provider': this.#run,
      message: `alert ${index} of ${batch}`,
    }));
    const { valid } = await this.#send<{ valid: StoredHit[] }>(201, 'POST', '/api/v1/hit/', alerts);
    if (valid.length !== count) throw new Error(`${valid.length} of ${count} alerts were created.`);
    return valid.map(({ howler }) => howler.id);
  }

  async comment(id: string, value: string): Promise<void> {
    await this.#send(200, 'POST', `/api/v1/hit/${id}/comments`, { value });
  }

  /** Adds to the score and appends a tag, in one update. */
  async update(id: string, tag: string): Promise<void> {
    await this.#send(200, 'PUT', `/api/v1/hit/${id}/update`, [
      ['INC', 'howler.score', 1],
      ['APPEND_IF_MISSING', 'tags', tag],
    ]);
  }

  async transition(id: string, transition: 'assign_to_me' | 'release'): Promise<void> {
    await this.#send(200, 'POST', `/api/v1/hit/${id}/transition`, { transition });
  }

  async delete(ids: readonly string[]): Promise<void> {
    await this.#send(204, 'DELETE', '/api/v1/hit/', ids);
  }

  /** By identifier; undefined: there is none. */
  async get(id: string): Promise<Alert | undefined> {
    const { status, body } = await this.#ask<{ api_response: StoredHit }>('GET', `/api/v1/hit/${id}`);
    if (status === 404) return undefined;
    if (status !== 200) throw new Error(`GET of ${id} was answered ${status}: ${JSON.stringify(body)}`);
    return toAlert(body.api_response);
  }

  /** All alerts of this test, as a search finds them. */
  async search(): Promise<Alert[]> {
    const request = { query: `event.provider:${this.#run}`, rows: 5000 };
    const { items, total } = await this.#send<{ items: StoredHit[]; total: number }>(
      200,
      'POST',
      '/api/v1/search/hit',
      request,
    );
    if (total !== items.length) throw new Error(`The search counts ${total} alerts and lists ${items.length}.`);
    return items.map(toAlert);
  }

  /** Returns how many alerts of this test have each value of a field, as the search index counts them. */
  async facet(field: string): Promise<Record<string, number>> {
    return this.#send(200, 'POST', `/api/v1/search/facet/hit/${field}`, {
      query: `event.provider:${this.#run}`,
      rows: 5000,
    });
  }

  /** Returns the number of analytics with the name that all alerts of this test have. */
  async countAnalytics(): Promise<number> {
    const request = { query: `name:"Crash ${this.#run}"`, rows: 0 };
    const { total } = await this.#send<{ total: number }>(200, 'POST', '/api/v1/search/analytic', request);
    return total;
  }

  /** An app token, which has to outlive the program. */
  async logIn(): Promise<string> {
    const credentials = { user: USER, apikey: API_KEY };
    const { app_token } = await this.#send<{ app_token: string }>(200, 'POST', '/api/v1/auth/login/', credentials);
    return app_token;
  }

  async isLoggedIn(appToken: string): Promise<boolean> {
    const { status } = await this.#ask('GET', '/api/v1/user/whoami', undefined, `Bearer ${appToken}`);
    return status === 200;
  }

  async #send<T>(expected: number, method: string, path: string, body?: unknown): Promise<T> {
    const answer = await this.#ask<{ api_response: T }>(method, path, body);
    if (answer.status !== expected) {
      throw new Error(`${method} ${path} was answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    }
    return answer.body?.api_response;
  }

  async #ask<T>(method: string, path: string, body?: unknown, authorization = AUTHORIZATION): Promise<Answer<T>> {
    try {
      const response = await fetch(`${this.#base}${path}`, {
        method,
        headers: { authorization, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, body: (text === '' ? undefined : JSON.parse(text)) as T };
    } catch (error) {
      throw new NoAnswer(`${method} ${path} was not answered`, { cause: error });
    }
  }
}

function toAlert({ howler, tags }: StoredHit): Alert {
  return {
    id: howler.id,
    batch: howler.detection,
    score: howler.score ?? 0,
    tags: tags ?? [],
    status: howler.status,
    assignment: howler.assignment,
    comments: (howler.comment ?? []).map(({ value }) => value),
  };
}
