import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startTestProgram, type TestProgram } from '../../../src/testing/start-test-program.ts';
import { until } from '../../../src/testing/until.ts';
import { builtInterface, launchBrowser, openContext, programFixture, signIn as signInAt, skip } from '../browser.ts';

const WHOAMI = '/services/alerts/api/v1/user/whoami';
/** Name of a machine for which browsers send no `Sec-Fetch-Site` without TLS. */
const MACHINE = 'triad.test';
/** The address bar opens no other address of a service. */
const PICTURE = '/services/alerts/api/v1/user/avatar/user';
const SOCKET = '/services/alerts/socket/v1/connect';

describe('a browser with a session', { skip }, () => {
  const fixture = programFixture();
  let attacker: Server;
  let context: BrowserContext;
  let own: string;
  let port: string;
  before(async () => {
    ({ port } = new URL(fixture.program.urls.web));
    own = `http://localhost:${port}`;
    attacker = createServer((_request, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<!doctype html><title>attacker</title>');
    });
    await new Promise<void>((resolve) => attacker.listen(0, resolve));
    context = await fixture.browser.newContext();
    const page = await context.newPage();
    await page.goto(`${own}/`);
    await page.evaluate(signIn);
    await page.close();
  });
  after(() => attacker?.close());

  /** A page of another port of the host, which has the cookies of the host, and one of another host. */
  const foreignPages = () => {
    const { port: foreign } = attacker.address() as AddressInfo;
    return [`http://localhost:${foreign}/`, `http://127.0.0.1:${foreign}/`];
  };

  async function opened(url: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(url);
    return page;
  }

  it('uses the services and live events on pages of the interface, whose scripts see no credential', async () => {
    const page = await opened(`${own}/`);
    const seen = await page.evaluate(
      async ([whoami, socket]) => {
        const answer = await (await fetch(whoami)).json();
        const frame = await new Promise<string>((resolve, reject) => {
          const live = new WebSocket(`${location.origin.replace('http', 'ws')}${socket}`);
          live.onmessage = ({ data }) => resolve(String(data));
          live.onclose = ({ code }) => reject(new Error(`closed with ${code}`));
        });
        const storage = JSON.stringify([{ ...localStorage }, { ...sessionStorage }]);
        return { username: answer.api_response.username, frame: JSON.parse(frame), cookie: document.cookie, storage };
      },
      [WHOAMI, SOCKET] as const,
    );
    assert.equal(seen.username, 'user');
    assert.deepEqual([seen.frame.type, seen.frame.username], ['info', 'user']);
    assert.equal(seen.cookie, '');
    const [cookie] = await context.cookies(own);
    assert.ok(cookie !== undefined && !seen.storage.includes(cookie.value));
    assert.deepEqual([cookie.name, cookie.httpOnly, cookie.sameSite], ['triad', true, 'Strict']);
    await page.close();
  });

  it('gives pages of other origins neither answers nor changes', async () => {
    for (const url of foreignPages()) {
      const page = await opened(url);
      const results = await page.evaluate(
        async ([target, whoami, socket]) => {
          const attempt = async (path: string, options: RequestInit) => {
            try {
              const { type, status } = await fetch(target + path, { credentials: 'include', ...options });
              return `${type} ${status}`;
            } catch {
              return 'refused';
            }
          };
          const text = { 'content-type': 'text/plain' };
          return [
            await attempt(whoami, {}),
            await attempt(whoami, { mode: 'no-cors' }),
            await attempt('/session', {
              method: 'POST',
              mode: 'no-cors',
              headers: text,
              body: '{"method":"password"}',
            }),
            await attempt('/session', { method: 'DELETE' }),
            await attempt('/session/preferences', { method: 'PUT', body: '{}' }),
            await new Promise<string>((resolve) => {
              const live = new WebSocket(`${target.replace('http', 'ws')}${socket}`);
              live.onopen = () => resolve('opened');
              live.onerror = () => resolve('refused');
            }),
            await new Promise<string>((resolve) => {
              const script = document.createElement('script');
              script.src = target + whoami;
              script.onload = () => resolve('loaded');
              script.onerror = () => resolve('refused');
              document.head.append(script);
            }),
          ];
        },
        [own, WHOAMI, SOCKET] as const,
      );
      for (const [index, result] of results.entries()) assert.equal(result, 'refused', `${url} ${index}`);
      await page.close();
    }
    const still = await opened(`${own}/`);
    assert.equal(await still.evaluate(async () => (await (await fetch('/session')).json()).session?.username), 'user');
    await still.close();
  });

  it('keeps forms, frames and openers of other origins away', async () => {
    for (const url of foreignPages()) {
      const page = await opened(url);
      const [posted] = await Promise.all([
        page.waitForResponse((response) => response.url() === `${own}/session`),
        page.evaluate((target) => {
          const form = document.createElement('form');
          form.method = 'post';
          form.action = `${target}/session`;
          form.enctype = 'text/plain';
          document.body.append(form);
          form.submit();
        }, own),
      ]);
      assert.equal(posted.status(), 403, url);
      await page.waitForURL(`${own}/session`);
      await page.goto(url);
      for (const path of ['/', WHOAMI]) {
        await page.evaluate((address) => {
          const frame = document.createElement('iframe');
          frame.src = address;
          document.body.append(frame);
        }, own + path);
      }
      await until('the frames are loaded', () => page.frames().length === 3);
      await page.waitForLoadState('load');
      for (const frame of page.frames().slice(1)) assert.ok(!frame.url().startsWith(own), frame.url());
      const popup = context.waitForEvent('page');
      await page.evaluate((target) => void Object.assign(globalThis, { opened: open(`${target}/`) }), own);
      const child = await popup;
      await child.waitForLoadState('load');
      assert.equal(await child.evaluate(() => opener === null), true, 'the page has no opener');
      assert.equal(await page.evaluate(() => (globalThis as { opened?: Window }).opened?.closed), true);
      await child.close();
      await page.close();
    }
  });

  it('shows stored data of a service in the address bar without running it', async () => {
    const page = await opened(`${own}${PICTURE}`);
    assert.match((await page.textContent('body')) ?? '', /api_response/);
    assert.equal(await page.evaluate(() => globalThis.origin), 'null', 'it is in a sandbox');
    await page.close();
  });
});

describe('a browser on a plain connection to another machine', { skip }, () => {
  let program: TestProgram;
  let attacker: Server;
  let browser: Browser;
  const lines: Readonly<Record<string, unknown>>[] = [];
  /** Cookies that the attacker got, by the path. */
  const cookies = new Map<string, string>();
  before(async () => {
    const settings = { 'web.ui_folder': builtInterface(), 'web.public_url': `http://${MACHINE}` };
    program = await startTestProgram({ settings, onLog: (line) => void lines.push(line) });
    attacker = createServer(({ url = '', headers }, response) => {
      cookies.set(url, headers.cookie ?? '');
      response.setHeader('content-type', 'text/html').end('<p>attacker');
    });
    await new Promise<void>((resolve) => attacker.listen(0, resolve));
    browser = await launchBrowser([`--host-resolver-rules=MAP ${MACHINE} 127.0.0.1`]);
  });
  after(async () => {
    await browser?.close();
    attacker?.close();
    await program?.close();
  });

  it('works, and a picture on another port of that machine changes nothing', async () => {
    const baseURL = `http://${MACHINE}:${new URL(program.urls.web).port}`;
    await using watched = await openContext(browser, { baseURL });
    const { page, context } = watched;
    await signInAt(page, '/alerts');
    const sent: Readonly<Record<string, string>>[] = [];
    const refused: string[] = [];
    page.on('request', async (request) => sent.push(await request.allHeaders()));
    page.on('response', (response) => response.status() >= 400 && refused.push(response.url()));
    await page.reload();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.ok(sent.every((headers) => headers['sec-fetch-site'] === undefined));
    assert.deepEqual(refused, []);

    const foreign = await context.newPage();
    await foreign.goto(`http://${MACHINE}:${(attacker.address() as AddressInfo).port}/`);
    const path = '/api/v4/auth/unset_otp/user/';
    const target = `/services/analysis${path}`;
    const [request] = await Promise.all([
      foreign.waitForRequest((one) => one.url().endsWith(target)),
      foreign.evaluate(
        (addresses) => {
          for (const src of addresses) document.body.append(Object.assign(new Image(), { src }));
        },
        ['/picture', baseURL + target],
      ),
    ]);
    const { 'sec-fetch-site': site } = await request.allHeaders();
    assert.equal(site, undefined);
    // Ports are no part of a site: what one of them gets, the other one gets, too.
    await until('the picture was asked for', () => cookies.has('/picture'));
    assert.match(cookies.get('/picture') ?? '', /triad=/, 'it is the same site');
    await until('it is refused', () => lines.some(({ path: asked }) => asked === target));
    const line = lines.findLast(({ path: asked }) => asked === target);
    assert.deepEqual([line?.status, line?.error], [403, 'foreign_origin']);
  });
});

async function signIn(): Promise<void> {
  const body = JSON.stringify({ method: 'password', user: 'user', password: 'user' });
  const { status } = await fetch('/session', { method: 'POST', headers: { 'content-type': 'application/json' }, body });
  if (status !== 200) throw new Error(`the sign-in got ${status}`);
}
