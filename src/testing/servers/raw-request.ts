import { request as send } from 'node:http';
import type { TestAnswer } from '../start-test-program.ts';

export interface RawRequest {
  readonly method?: string;
  /** A list sends the header once for each value. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string;
  /** Address of loopback to send from. Default 127.0.0.1. */
  readonly from?: string;
}

/**
 * For tests: a request that no browser and no `fetch` would send: headers twice, or from another
 * address.
 */
export async function sendRaw(
  url: string,
  { method = 'GET', headers = {}, body, from = '127.0.0.1' }: RawRequest,
): Promise<TestAnswer> {
  return new Promise((resolve, reject) => {
    const lists = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    );
    const outgoing = send(url, { method, headers: lists, localAddress: from }, (answer) => {
      const parts: Buffer[] = [];
      answer.on('data', (part: Buffer) => parts.push(part));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(parts).toString();
        const received = new Headers();
        for (const [name, values] of Object.entries(answer.headersDistinct)) {
          for (const value of values ?? []) received.append(name, value);
        }
        const isJson = received.get('content-type')?.startsWith('application/json') === true && text !== '';
        resolve({
          status: answer.statusCode ?? 0,
          headers: received,
          text,
          json: isJson ? JSON.parse(text) : undefined,
        });
      });
    });
    outgoing.once('error', reject);
    outgoing.end(body);
  });
}
