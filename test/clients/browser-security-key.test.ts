import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { Browser, CDPSession, Page } from 'playwright-core';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { startTestProgram, type TestProgram } from '../../src/testing/start-test-program.ts';
import { startServer } from '../servers/start-server.ts';

const PATH = '/session/second-factors';

/** Functions of a page: requests, and calls of `navigator.credentials` with JSON. */
const FUNCTIONS = `
  const ask = async (method, path, body) => {
    const headers = body === undefined ? {} : { 'content-type': 'application/json' };
    const answer = await fetch(path, { method, headers, body: body && JSON.stringify(body) });
    return { status: answer.status, json: await answer.json().catch(() => undefined) };
  };
  const create = async (json) =>
    (await navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(json) })).toJSON();
  const get = async (json) =>
    (await navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(json) })).toJSON();
`;

describe('a security key in Chromium', { timeout: 300_000 }, () => {
  const { unavailable } = outsideServer('chromium');
  if (unavailable !== undefined) {
    it('not run', { skip: unavailable });
    return;
  }
  const stack = new AsyncDisposableStack();
  let program: TestProgram;
  let browser: Browser;
  let page: Page;
  let devTools: CDPSession;

  before(async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triad-page-'));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    await writeFile(join(folder, 'index.html'), '<!doctype html><title>Triad</title>');
    program = await startTestProgram({ settings: { 'web.ui_folder': folder } });
    stack.defer(() => program.close());
    const server = stack.use(await startServer('chromium'));
    const { chromium } = await import('playwright-core');
    browser = await chromium.connectOverCDP(server.url);
    stack.defer(() => browser.close());
    page = await (await browser.newContext()).newPage();
    devTools = await page.context().newCDPSession(page);
    await devTools.send('WebAuthn.enable');
    // Keys are registered for names; an IP address has none.
    await page.goto(program.urls.web.replace('127.0.0.1', 'localhost'));
  });
  after(() => stack[Symbol.asyncDispose]());

  const inPage = <Result>(script: string) =>
    page.evaluate(`(async () => { ${FUNCTIONS} ${script} })()`) as Promise<Result>;
  type Answer = { readonly status: number; readonly json: Record<string, unknown> };

  /** Adds an authenticator to the browser, which answers by itself. */
  async function addAuthenticator(options: { protocol: 'ctap2' | 'u2f'; transport: 'usb' | 'internal' }) {
    const isPasskey = options.transport === 'internal';
    const { authenticatorId } = await devTools.send('WebAuthn.addVirtualAuthenticator', {
      options: { ...options, hasResidentKey: isPasskey, hasUserVerification: isPasskey, isUserVerified: isPasskey },
    });
    return () => devTools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId });
  }

  for (const [what, options] of [
    ['a security key', { protocol: 'ctap2', transport: 'usb' }],
    ['an old security key (U2F)', { protocol: 'u2f', transport: 'usb' }],
    ['a passkey', { protocol: 'ctap2', transport: 'internal' }],
  ] as const) {
    it(`registers and signs in with ${what}, and proves with it that the user is there`, async () => {
      const remove = await addAuthenticator(options);
      const password = { method: 'password', user: 'user', password: 'user' };
      const added = await inPage<Answer>(`
        await ask('POST', '/session', ${JSON.stringify(password)});
        const { json } = await ask('POST', '${PATH}/security-keys/challenge');
        return ask('POST', '${PATH}/security-keys', { name: 'Office', answer: await create(json) });
      `);
      assert.equal(added.status, 200, JSON.stringify(added.json));
      assert.equal((added.json.recovery_codes as readonly string[]).length, 10);

      const opened = await inPage<Answer & { readonly first: Answer; readonly proof: Answer }>(`
        await ask('DELETE', '/session');
        const first = await ask('POST', '/session', ${JSON.stringify(password)});
        const webauthn_auth_resp = await get(first.json.error.challenge);
        const opened = await ask('POST', '/session', { ...${JSON.stringify(password)}, webauthn_auth_resp });
        const { json } = await ask('POST', '${PATH}/proof/challenge');
        const proof = await ask('POST', '${PATH}/proof', { webauthn_auth_resp: await get(json) });
        return { ...opened, first, proof };
      `);
      assert.equal(opened.first.status, 401);
      assert.equal(opened.status, 200, JSON.stringify(opened.json));
      assert.equal(opened.proof.status, 200, JSON.stringify(opened.proof.json));
      const removed = await inPage<Answer>(`return ask('DELETE', '${PATH}/security-keys/Office')`);
      assert.equal(removed.status, 204);
      await remove();
    });
  }
});
