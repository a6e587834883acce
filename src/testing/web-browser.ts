import { request } from 'node:http';
import { SocketClient } from './socket-client.ts';

export interface BrowserRequest {
  readonly method?: string;
  readonly json?: unknown;
  readonly body?: string | Uint8Array;
  /** Undefined leaves a header out that browsers send. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export interface BrowserAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly cookies: readonly string[];
  readonly text: string;
  readonly bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape
  readonly json: any;
}

/** A browser for tests, which keeps cookies and sends the headers of pages of the web interface. */
export class WebBrowser {
  readonly #url: string;
  readonly #cookies = new Map<string, string>();

  /** @param url `http://127.0.0.1:<port>` of the web interface */
  constructor(url: string) {
    this.#url = url;
  }

  /** Value of the header `Cookie`. */
  get cookie(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  ask(path: string, { method = 'GET', json, body, headers = {} }: BrowserRequest = {}): Promise<BrowserAnswer> {
    const bytes = json === undefined ? body : JSON.stringify(json);
    const sent = {
      // Node sends bodies of some methods without their length otherwise.
      'content-length': bytes === undefined ? undefined : String(Buffer.byteLength(bytes)),
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'cors',
      accept: '*/*',
      cookie: this.cookie || undefined,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    };
    const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined));
    return new Promise((resolve, reject) => {
      const { hostname, port } = new URL(this.#url);
      // The path is sent as it is, dots and encoded slashes too.
      const sending = request({ hostname, port, path, method, headers: given as Record<string, string> }, (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('error', reject);
        answer.on('end', () => {
          const all = Buffer.concat(chunks);
          const text = all.toString();
          const cookies = answer.headers['set-cookie'] ?? [];
          this.#keep(cookies);
          const isJson = answer.headers['content-type']?.startsWith('application/json') === true && text !== '';
          resolve({
            status: answer.statusCode ?? 0,
            headers: answer.headers as Record<string, string | undefined>,
            cookies,
            text,
            bytes: all,
            json: isJson ? JSON.parse(text) : undefined,
          });
        });
      });
      sending.on('error', reject);
      sending.end(bytes);
    });
  }

  /** Opens a page of the interface. */
  open(path: string, headers: BrowserRequest['headers'] = {}): Promise<BrowserAnswer> {
    const navigation = { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', accept: 'text/html,*/*;q=0.8' };
    return this.ask(path, { headers: { ...navigation, ...headers } });
  }

  signIn(user: string, password = user): Promise<BrowserAnswer> {
    return this.ask('/session', { method: 'POST', json: { method: 'password', user, password } });
  }

  signInByKey(user: string, apikey: string): Promise<BrowserAnswer> {
    return this.ask('/session', { method: 'POST', json: { method: 'apikey', user, apikey } });
  }

  /** Listens to live events. */
  listen(headers: Readonly<Record<string, string>> = {}): SocketClient {
    const sent = { origin: this.#url, ...(this.cookie === '' ? {} : { cookie: this.cookie }), ...headers };
    return new SocketClient(`${this.#url}/services/alerts`, sent);
  }

  #keep(lines: readonly string[]): void {
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/; max-age=0(?:;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }
}
