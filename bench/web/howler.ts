import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import type { Visitor } from './pages.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
};

/** A built howler-ui in front of the alert service of the bench. */
export interface Howler {
  readonly visitor: Visitor;
  /** Kilobytes of all scripts that its page loads at once, brotli. */
  readonly scripts: number;
  close(): void;
}

/** Serves a built howler-ui, as nginx does in its container, and signs in at the alert service. */
export async function serveHowler(folder: string, alerts: string, user: string): Promise<Howler> {
  const server = createServer((incoming, outgoing) => {
    const path = new URL(incoming.url ?? '/', alerts).pathname;
    if (/^\/(?:api|socket)\//.test(path)) {
      const { method, headers, url = '/' } = incoming;
      const passed = request(alerts + url, { method, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on('error', () => outgoing.destroy());
      incoming.pipe(passed);
      return;
    }
    const file = join(folder, normalize(path));
    const found = existsSync(file) && statSync(file).isFile() ? file : join(folder, 'index.html');
    outgoing.writeHead(200, { 'content-type': TYPES[extname(found)] ?? 'application/octet-stream' });
    createReadStream(found).pipe(outgoing);
  });
  const base = await listen(server);
  const answer = await fetch(`${alerts}/api/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user, password: user }),
  });
  const { api_response } = (await answer.json()) as { api_response: { app_token: string } };
  const storage = { 'howler.ui.app_token': JSON.stringify(api_response.app_token) };
  return { visitor: { base, storage }, scripts: scriptsOf(folder), close: () => server.close() };
}

function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

function scriptsOf(folder: string): number {
  const page = readFileSync(join(folder, 'index.html'), 'utf8');
  const files = readdirSync(join(folder, 'assets')).filter((name) => name.endsWith('.js') && page.includes(name));
  return (
    files.reduce((sum, name) => sum + brotliCompressSync(readFileSync(join(folder, 'assets', name))).length, 0) / 1000
  );
}
