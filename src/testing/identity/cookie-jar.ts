/** The cookies of a browser. */
export class CookieJar {
  readonly #cookies = new Map<string, string>();

  /** @param answers whose cookies it has, the first first */
  constructor(...answers: readonly { readonly headers: Headers }[]) {
    for (const answer of answers) this.keep(answer);
  }

  /** Takes what an answer sets, and drops what it takes back. */
  keep({ headers }: { readonly headers: Headers }): void {
    for (const line of headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '' || /; max-age=0(?:;|$)/i.test(line)) this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
  }

  get(name: string): string | undefined {
    return this.#cookies.get(name);
  }

  /** Value of the header `Cookie`; empty without any. */
  get header(): string {
    return [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  }

  /**
   * Headers of a page in a session of the analysis service: the cookies, and the XSRF token copied out
   * of them.
   */
  get sessionHeaders(): { readonly cookie: string; readonly 'x-xsrf-token': string } {
    return { cookie: this.header, 'x-xsrf-token': this.#cookies.get('XSRF-TOKEN') ?? '' };
  }
}
