import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { pino } from 'pino';
import { loadConfig } from './config/config.ts';
import { type ProgramOptions, startProgram } from './program.ts';
import { SocketClient } from './testing/socket-client.ts';
import { startTestProgram } from './testing/start-test-program.ts';
import { until } from './testing/until.ts';

const folder = mkdtempSync(join(tmpdir(), 'triad-start-'));
after(() => rmSync(folder, { recursive: true, force: true }));

describe('a start', () => {
  it('without users makes an administrator whose password works', async () => {
    const program = await startTestProgram({ demo: 'none' });
    const { username, password } = program.firstAdministrator ?? { username: '', password: '' };
    const answer = await program.request('/api/v1/user/whoami', { basic: `${username}:${password}` });
    assert.equal(answer.json.api_response.is_admin, true);
    await program.close();
  });

  it('answers everywhere, and no longer after it was closed', async () => {
    const program = await startTestProgram();
    assert.equal((await program.request('/healthz/')).status, 200);
    await program.close();
    await assert.rejects(program.request('/healthz/'));
  });

  it('runs the components that it is told to', async () => {
    const scheduled = async (components: readonly string[]) => {
      const messages: unknown[] = [];
      const program = await startTestProgram({ settings: { components }, onLog: ({ msg }) => messages.push(msg) });
      await program.close();
      return [Object.keys(program.addresses), messages.includes('jobs are scheduled')];
    };
    assert.deepEqual(await scheduled(['http']), [['alerts', 'analysis', 'enrichment', 'services', 'web'], false]);
    assert.deepEqual(await scheduled(['workers', 'jobs']), [['alerts'], true]);
  });

  it('serves the routes of its components, health checks and metrics', async () => {
    const paths = ['/healthz/', '/api/healthz/live', '/metrics', '/api/v1/user/whoami', '/socket/v1/viewers/x'];
    const answers = async (...components: readonly string[]) => {
      const program = await startTestProgram({ settings: { components } });
      const basic = 'admin:devkey:admin';
      const all = await Promise.all(paths.map((path) => program.request(path, { basic })));
      const client = new SocketClient(program.url);
      const refusal = await client.send('x').then(
        () => client.status(),
        () => 'none',
      );
      await program.close();
      const hints = all.filter(({ status }) => status === 404).map(({ json }) => String(json.api_error_message));
      return [all.map(({ status }) => status).join(' '), refusal, hints] as const;
    };
    const [sockets, listened, whoami] = await answers('sockets');
    assert.deepEqual([sockets, listened], ['200 200 200 404 200', 401]);
    assert.match(whoami[0] ?? '', /^Api does not exist \(\/api\/v1\/user\/whoami\)\. This process runs sockets\. Send/);
    const [http, unheard, viewers] = await answers('http', 'workers');
    assert.deepEqual([http, unheard], ['200 200 200 200 404', 1006]);
    assert.match(viewers[0] ?? '', /This process runs http, workers\..*a process whose components include sockets/);
    const [workers, , both] = await answers('workers');
    assert.deepEqual([workers, both.length], ['200 200 200 404 404', 2]);
    assert.deepEqual(await answers('http', 'sockets'), ['200 200 200 200 200', 401, []]);
  });

  it('counts what waits for workers of other processes', async () => {
    const program = await startTestProgram({ settings: { components: ['http'] } });
    const json = [{ howler: { analytic: 'Waiting' } }];
    const created = await program.request('/api/v1/hit', { method: 'POST', basic: 'admin:devkey:admin', json });
    assert.equal(created.status, 201);
    const { text } = await program.request('/metrics');
    await program.close();
    assert.match(text, /^triad_queue_items\{queue="alerts\.triggers\.create"\} 1$/m);
    assert.match(text, /^triad_queue_items\{queue="alerts\.triggers\.promote"\} 0$/m);
  });

  it('keeps no trace of triggers whose actions ran', async () => {
    const program = await startTestProgram();
    const basic = 'admin:devkey:admin';
    const operations = [{ operation_id: 'add_label', data_json: '{"label":"ran"}' }];
    const action = { name: 'Label', query: 'howler.id:*', triggers: ['create'], operations };
    await program.request('/api/v1/action?refresh=wait_for', { method: 'POST', basic, json: action });
    const json = [{ howler: { analytic: 'Traces' } }];
    const created = await program.request('/api/v1/hit', { method: 'POST', basic, json });
    const path = `/api/v1/hit/${created.json.api_response.valid[0].howler.id}`;
    const labels = async () => (await program.request(path, { basic })).json.api_response.howler.labels.generic;
    await until('the action ran', async () => (await labels()).includes('ran'));
    // The workers stop at the end of their batch.
    const { tokens } = program.foundation.coordination;
    await program.alerts.workers.stop();
    const left = await tokens.removeWithPrefix('alerts.finished.');
    await program.close();
    assert.equal(left, 0);
  });

  it('makes no administrator in a process that serves no login', async () => {
    const program = await startTestProgram({ demo: 'none', settings: { components: ['workers'] } });
    assert.equal(program.firstAdministrator, undefined);
    await program.close();
  });

  it('warns of components that no process can run', async () => {
    const warned = async (components: readonly string[]) => {
      const warnings: unknown[] = [];
      const onLog = ({ level, msg }: Readonly<Record<string, unknown>>) => level === 40 && warnings.push(msg);
      await (await startTestProgram({ settings: { components }, onLog })).close();
      return warnings;
    };
    assert.deepEqual(await warned(['http', 'sockets', 'workers', 'jobs']), []);
    assert.match(String(await warned(['http', 'jobs'])), /^sockets, workers \(setting components\) do not run: /);
  });

  it('says which address is taken', async () => {
    const program = await startTestProgram();
    const port = Number(new URL(program.url).port);
    await assert.rejects(startTestProgram({ settings: { 'alerts.port': port } }), {
      code: 'address_unusable',
      message: new RegExp(`127\\.0\\.0\\.1:${port} \\(EADDRINUSE\\)`),
    });
    await program.close();
  });

  it('makes the administrator no sooner than everything listens: a start that fails cannot show the password', async () => {
    const taken = await startTestProgram();
    const port = Number(new URL(taken.url).port);
    const dataFolder = join(folder, 'first-start');
    const failed = start({ 'enrichment.port': port, data_folder: dataFolder }, {});
    await assert.rejects(failed, { code: 'address_unusable' });
    await taken.close();
    const program = await start({ data_folder: dataFolder }, {});
    assert.equal(program.firstAdministrator?.username, 'admin');
    await program.close();
  });

  it('shows credentials that everyone knows to no one but this machine, also in a later start without the demo', async () => {
    await assert.rejects(start({ host: '0.0.0.0' }, { demo: 'users' }), { code: 'demo_off_loopback' });
    await (await start({}, { demo: 'users' })).close();
    await assert.rejects(start({ host: '0.0.0.0' }, {}), { code: 'demo_off_loopback', message: /admin, user, huey/ });
  });

  it('does not start without a server that it is told to use, and names it', async () => {
    await assert.rejects(start({ 'coordination.type': 'redis', 'coordination.url': 'redis://127.0.0.1:9' }, {}), {
      code: 'coordination_unavailable',
      message: /127\.0\.0\.1:9\b/,
    });
  });
});

function start(settings: Record<string, unknown>, options: Partial<ProgramOptions>) {
  const config = loadConfig({
    environment: { SVC_CONF_FOLDER: import.meta.dirname },
    flags: {
      'alerts.port': 0,
      'analysis.port': 0,
      'enrichment.port': 0,
      'services.port': 0,
      'web.port': 0,
      data_folder: folder,
      ...settings,
    },
  });
  return startProgram(config, { version: '0', logger: pino({ level: 'silent' }), ...options });
}
