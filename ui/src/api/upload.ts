import { connection } from './connection.ts';

/** Receives the bytes that were sent, and the bytes of the whole request. */
export type UploadProgress = (sent: number, total: number) => void;

/** Statuses whose answers have no body, for which `Response` takes none. */
const BODILESS: ReadonlySet<number> = new Set([204, 205, 304]);

/**
 * Sends a form by POST, by the rules of `connection.send`. `fetch` does not report what was sent, so
 * that this is an XMLHttpRequest. @throws ApiProblem
 */
export function upload(path: string, form: FormData, progress: UploadProgress, signal: AbortSignal): Promise<Response> {
  return connection.send(new Request(path, { method: 'POST', signal }), (request) => sendForm(request, form, progress));
}

function sendForm(request: Request, form: FormData, progress: UploadProgress): Promise<Response> {
  const { method, url, headers, signal } = request;
  const sending = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<Response>();
  sending.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded, total));
  sending.addEventListener('load', () => resolve(responseOf(sending)));
  sending.addEventListener('error', () => reject(new TypeError('The upload has no answer.')));
  sending.addEventListener('abort', () => reject(signal.reason));
  signal.addEventListener('abort', () => sending.abort(), { once: true });
  sending.open(method, url);
  for (const [name, value] of headers) sending.setRequestHeader(name, value);
  sending.send(form);
  return promise;
}

function responseOf(answered: XMLHttpRequest): Response {
  const { status, statusText, responseText } = answered;
  const lines = answered
    .getAllResponseHeaders()
    .trim()
    .split(/[\r\n]+/);
  const headers = lines.map((line): [string, string] => {
    const end = line.indexOf(':');
    return [line.slice(0, end), line.slice(end + 1).trim()];
  });
  return new Response(BODILESS.has(status) ? null : responseText, { status, statusText, headers });
}
