import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { startTestProgram, type TestProgram } from '../../testing/start-test-program.ts';
import { until } from '../../testing/until.ts';
import { WebBrowser } from '../../testing/web-browser.ts';

const PAGE = '<!doctype html><title>Triad</title>';
const SCRIPT = `console.log(${JSON.stringify('x'.repeat(2000))});`;
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'; require-trusted-types-for 'script'";

/** Links that the build of the interface wrote. */
const EARLY = {
  always: {
    requests: ['</session>; rel=preload; as=fetch; crossorigin'],
    files: ['</assets/frame-1a2b.js>; rel=modulepreload'],
  },
  languages: {
    en: { requests: [], files: ['</assets/en-1a2b.js>; rel=modulepreload'] },
    fr: { requests: [], files: ['</assets/fr-1a2b.js>; rel=modulepreload'] },
  },
  pages: { '/alerts': { requests: [], files: ['</assets/list-1a2b.js>; rel=modulepreload'] } },
} as const;

let folder: string;
let program: TestProgram;
let browser: WebBrowser;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triad-ui-'));
  await build(PAGE);
  program = await startTestProgram({ settings: { 'web.ui_folder': join(folder, 'dist') } });
  browser = new WebBrowser(program.urls.web);
});
after(async () => {
  await program.close();
  await rm(folder, { recursive: true });
});

async function build(page: string): Promise<void> {
  const dist = join(folder, 'dist');
  await mkdir(join(dist, 'assets'), { recursive: true });
  await writeFile(join(folder, 'secret.txt'), 'outside');
  await writeFile(join(dist, 'icon.svg'), '<svg xmlns="http://www.w3.org/2000/svg"/>');
  await writeFile(join(dist, '.triad-build'), 'digest');
  await writeFile(join(dist, 'assets', 'index-1a2b.js'), SCRIPT);
  await writeFile(join(dist, 'assets', 'index-1a2b.js.br'), brotliCompressSync(SCRIPT));
  await writeFile(join(dist, 'assets', 'index-1a2b.js.gz'), gzipSync(SCRIPT));
  await writeFile(join(dist, 'assets', 'index-1a2b.js.map'), '{}');
  await writeFile(join(dist, 'early.json'), JSON.stringify(EARLY));
  await writeFile(join(dist, 'index.html'), page);
}

describe('pages', () => {
  it('are one file at every address, with the policy of the interface', async () => {
    for (const path of [
      '/',
      '/alerts/abc',
      '/sign-in/provider/main?code=x&state=y',
      '/services',
      '/session/x',
      '/api/v1',
    ]) {
      const { status, text, headers } = await browser.open(path);
      assert.deepEqual([status, text], [200, PAGE], path);
      assert.equal(headers['content-type'], 'text/html; charset=utf-8');
      assert.equal(headers['content-security-policy'], POLICY);
      assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
      assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
      assert.equal(headers['referrer-policy'], 'no-referrer');
      assert.equal(headers['x-content-type-options'], 'nosniff');
      assert.equal(headers['cache-control'], 'no-cache');
      assert.equal(headers['set-cookie'], undefined);
    }
  });

  it('are reached from links of other sites', async () => {
    const { status } = await browser.open('/alerts/abc', { 'sec-fetch-site': 'cross-site' });
    assert.equal(status, 200);
  });

  it('name what a browser with a session will load, and nothing to others', async () => {
    const visitor = new WebBrowser(program.urls.web);
    const links = async (path: string, headers = {}) => (await visitor.open(path, headers)).headers.link;
    assert.equal(await links('/alerts'), undefined);
    await visitor.signIn('admin');
    const { always, languages, pages } = EARLY;
    const files = [...always.files, ...languages.en.files, ...pages['/alerts'].files];
    const all = [...always.requests, ...files].join(', ');
    assert.equal(await links('/alerts'), all);
    assert.equal(await links('/alerts?q=a'), all);
    const french = [...always.requests, ...always.files, ...languages.fr.files].join(', ');
    assert.equal(await links('/cases', { 'accept-language': 'fr' }), french);
    const plain = { 'sec-fetch-site': undefined, 'sec-fetch-mode': undefined, accept: 'text/html' };
    assert.equal(await links('/alerts', plain), files.join(', '));
    const etag = (await visitor.open('/')).headers.etag;
    const { headers, status } = await visitor.open('/alerts', { 'if-none-match': etag });
    assert.deepEqual([status, headers.link], [304, all]);
    assert.equal(await links('/assets/index-1a2b.js'), undefined);
    assert.equal(await links('/icon.svg'), undefined);
  });

  it('are revalidated', async () => {
    const { headers } = await browser.open('/');
    for (const condition of [headers.etag, `W/${headers.etag}`, `"x", ${headers.etag}`]) {
      const again = await browser.open('/alerts', { 'if-none-match': condition });
      assert.deepEqual([again.status, again.text, again.headers.etag], [304, '', headers.etag]);
      assert.equal(again.headers['content-security-policy'], POLICY);
    }
    assert.equal((await browser.open('/', { 'if-none-match': '"x"' })).status, 200);
  });

  it('stand for no other request', async () => {
    const missing = ['/alerts', '/favicon.ico', '/assets/', '/robots.txt', '/index.html/x'];
    for (const path of missing) {
      const answer = await browser.ask(path);
      assert.deepEqual([answer.status, answer.json.error.code], [404, 'unknown_path'], path);
    }
    assert.equal((await browser.open('/assets/index-gone.js')).status, 404);
    assert.equal((await browser.ask('/alerts', { method: 'POST' })).status, 404);
    assert.equal((await browser.ask('/alerts', { method: 'PUT', json: {} })).status, 404);
  });

  it('come without a body upon HEAD', async () => {
    const { status, text, headers } = await browser.ask('/', {
      method: 'HEAD',
      headers: { 'sec-fetch-mode': 'navigate' },
    });
    assert.deepEqual([status, text, headers['content-length']], [200, '', String(PAGE.length)]);
  });
});

describe('files', () => {
  it('of assets are packed in advance, and kept for a year', async () => {
    const get = (encoding?: string) =>
      browser.ask('/assets/index-1a2b.js', { headers: { 'accept-encoding': encoding } });
    const unpack = { br: brotliDecompressSync, gzip: gunzipSync } as const;
    const accepted: Readonly<Record<string, keyof typeof unpack | undefined>> = {
      'gzip, deflate, br, zstd': 'br',
      'gzip;q=0.5, BR;q=0.1': 'br',
      'gzip, br;q=0': 'gzip',
      'br;q=0.000, gzip;q=0.0': undefined,
      brotli: undefined,
      '': undefined,
    };
    const tags = new Set<string | undefined>();
    for (const [header, encoding] of Object.entries(accepted)) {
      const { status, headers, bytes } = await get(header || undefined);
      assert.equal(status, 200);
      assert.equal(headers['content-encoding'], encoding, header);
      assert.equal((encoding === undefined ? bytes : unpack[encoding](bytes)).toString(), SCRIPT);
      assert.equal(headers['cache-control'], 'public, max-age=31536000, immutable');
      assert.equal(headers['content-type'], 'text/javascript; charset=utf-8');
      assert.equal(headers.vary, 'Accept-Encoding');
      tags.add(headers.etag);
    }
    assert.equal(tags.size, 3, 'each form has its own tag');
  });

  it('beside them are revalidated', async () => {
    const { status, headers } = await browser.ask('/icon.svg');
    assert.deepEqual([status, headers['content-type'], headers['cache-control']], [200, 'image/svg+xml', 'no-cache']);
  });

  it('outside of the folder, and without a known type, are not there', async () => {
    for (const path of [
      '/../secret.txt',
      '/assets/../../secret.txt',
      '/..%2fsecret.txt',
      '/assets/..%2f..%2fsecret.txt',
      '/%2e%2e/secret.txt',
      '/..\\secret.txt',
      '/.triad-build',
      '/assets/index-1a2b.js.map',
      '/assets/index-1a2b.js.br',
      '/assets/index-1a2b%2ejs',
      '/__proto__',
      '/constructor',
    ]) {
      const { status, text } = await browser.ask(path);
      assert.equal(status, 404, path);
      assert.ok(!text.includes('outside'));
    }
  });
});

describe('an interface', () => {
  it('that is built again is served without a restart, and one that is gone says what to do', async () => {
    const next = `${PAGE}<p>new</p>`;
    await build(next);
    await until('the new page is served', async () => (await browser.open('/')).text === next);
    await rm(join(folder, 'dist'), { recursive: true });
    await until('the pages are gone', async () => (await browser.open('/')).status === 503);
    const { text, headers } = await browser.open('/alerts');
    assert.equal(headers['x-error-code'], 'interface_not_built');
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, /^The web interface is not built\. Run "npm run ui:build"/);
    assert.equal(headers['retry-after'], '5');
    assert.equal((await browser.ask('/session')).status, 200, 'the services work without it');
    await build(PAGE);
  });
});
