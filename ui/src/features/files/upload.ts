import { ApiProblem, problemOf } from '../../api/problem.ts';
import { memberOf, stringMember } from '../../json/members.ts';

/** Receives the bytes that were sent, and the bytes of the whole request. */
export type UploadProgress = (sent: number, total: number) => void;

/**
 * Submits a file and returns the identifier of the submission. `fetch` does not report what was sent,
 * so that this is an XMLHttpRequest.
 * @throws ApiProblem
 */
export function submitFile(file: File, progress: UploadProgress, signal: AbortSignal): Promise<string> {
  const form = new FormData();
  form.append('json', JSON.stringify({ name: file.name }));
  form.append('bin', file, file.name);
  const request = new XMLHttpRequest();
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  request.upload.addEventListener('progress', ({ loaded, total }) => progress(loaded, total));
  request.addEventListener('load', () => {
    const body = parsed(request.responseText);
    const sid = stringMember(memberOf(body, 'api_response'), 'sid');
    if (request.status === 200 && sid !== '') resolve(sid);
    else
      reject(
        problemOf(new Response(null, { status: Math.max(200, request.status), headers: headersOf(request) }), body),
      );
  });
  request.addEventListener('error', () => {
    reject(new ApiProblem('The file was not sent: it cannot be read, or the server does not answer.', { status: 0 }));
  });
  request.addEventListener('abort', () => reject(signal.reason));
  signal.addEventListener('abort', () => request.abort());
  request.open('POST', '/services/analysis/api/v4/submit/');
  request.send(form);
  return promise;
}

function headersOf(request: XMLHttpRequest): Headers {
  const headers = new Headers();
  for (const name of ['x-error-code', 'x-error-at', 'retry-after']) {
    const value = request.getResponseHeader(name);
    if (value !== null) headers.set(name, value);
  }
  return headers;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
