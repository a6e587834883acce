import { parentPort, workerData } from 'node:worker_threads';

/** Runs in a thread of its own, so that the work of the attacking test does not count as waiting. */
const { url, analysis } = workerData as { readonly url: string; readonly analysis?: string };
const authorization = `Basic ${btoa('user:devkey:user')}`;
const PAUSE = 10;

let longest = 0;
let failures: string[] = [];

/** Requests on their way, by path: a reading counts them too, so it waits until they are answered. */
const underway = new Map<string, Promise<void>>();

parentPort?.on('message', async () => {
  await Promise.all(underway.values());
  parentPort?.postMessage({ longest, failures });
  longest = 0;
  failures = [];
});

void repeat(`${url}/healthz/`, {});
if (analysis !== undefined) {
  void repeat(`${analysis}/api/v4/user/whoami/`, { headers: { 'x-user': 'user', 'x-apikey': 'devkey:user' } });
}
void repeat(`${url}/api/v1/search/hit`, {
  method: 'POST',
  headers: { authorization, 'content-type': 'application/json' },
  body: JSON.stringify({ query: 'howler.status:open', rows: 1 }),
});

async function repeat(path: string, request: RequestInit): Promise<never> {
  for (;;) {
    const asked = ask(path, request);
    underway.set(path, asked);
    await asked;
    await new Promise((resolve) => setTimeout(resolve, PAUSE));
  }
}

async function ask(path: string, request: RequestInit): Promise<void> {
  const begun = performance.now();
  const answer = await fetch(path, request).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (error: unknown) => ({ status: 0, text: String(error) }),
  );
  longest = Math.max(longest, performance.now() - begun);
  if (answer.status !== 200) failures.push(`${path}: ${answer.status} ${answer.text.slice(0, 200)}`);
}
