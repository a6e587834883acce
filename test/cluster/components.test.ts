import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { SocketClient } from '../../src/testing/socket-client.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { sendRequest, type TestRequest } from '../../src/testing/start-test-program.ts';
import { until } from '../../src/testing/until.ts';
import { type ClusterFixture, clusterFixture } from './cluster-fixture.ts';

const ADMIN = 'admin:devkey:admin';
const QUERY = 'howler.analytic:Components';
/** Milliseconds within which another process continues the work of one that was killed. */
const TAKEN_OVER = 10_000;

describe('processes with a part of the components each', () => {
  const engine = outsideServer('opensearch');
  const redis = outsideServer('redis');
  const reason = engine.unavailable ?? redis.unavailable;
  if (reason !== undefined) {
    it('not run', { skip: reason });
    return;
  }

  let fixture: ClusterFixture;
  let http: SpawnedProgram;
  let workers: SpawnedProgram[] = [];
  let sockets: SpawnedProgram[] = [];
  let token: string;

  const send = async (path: string, request: TestRequest = {}, program = http) => {
    const answer = await sendRequest(`${program.alerts}${path}`, { basic: ADMIN, ...request });
    assert.ok(answer.status < 300, `${path}: ${answer.status} ${answer.text.slice(0, 300)}`);
    return answer.json?.api_response;
  };
  const createHit = async (): Promise<string> => {
    const json = [{ howler: { analytic: 'Components' } }];
    return (await send('/api/v1/hit', { method: 'POST', json })).valid[0].howler.id;
  };
  /** Returns whether the triggered action ran and the rule filed the alert. */
  const isWorkedOn = async (id: string): Promise<boolean> => {
    const { howler } = await send(`/api/v1/hit/${id}`);
    return howler.labels.generic.includes('worked') && howler.related.length === 1;
  };
  const listen = (program: SpawnedProgram) => SocketClient.admitted(program.alerts, token);
  const hears = async (listener: SocketClient, id: string) => {
    await send(`/api/v1/hit/${id}/comments`, { method: 'POST', json: { value: 'seen' } });
    await listener.next('hits', ({ hit }) => (hit as { howler: { id: string } }).howler.id === id);
  };
  const runsOf = async ({ alerts }: SpawnedProgram): Promise<number> => {
    const { text } = await sendRequest(`${alerts}/metrics`);
    return Number(/^triad_triggered_actions_total\{trigger="create"\} (\d+)$/m.exec(text)?.[1] ?? 0);
  };

  before(async () => {
    fixture = clusterFixture('opensearch', engine.url);
    const environment = {
      ...fixture.environment,
      SVC_COORDINATION_TYPE: 'redis',
      SVC_COORDINATION_URL: redis.url,
    };
    const start = (components: string, ...flags: string[]) =>
      spawnProgram({ flags, environment: { ...environment, SVC_COMPONENTS: components } });
    http = await start('http', '--demo=users');
    workers = await Promise.all(['workers', 'workers,jobs'].map((components) => start(components)));
    sockets = await Promise.all([1, 2].map(() => start('sockets')));
    token = (await send('/api/v1/auth/login', { method: 'POST', json: { user: 'user', password: 'user' } })).app_token;
    const operations = [{ operation_id: 'add_label', data_json: '{"label":"worked"}' }];
    const action = { name: 'Label', query: QUERY, triggers: ['create'], operations };
    await send('/api/v1/action?refresh=wait_for', { method: 'POST', json: action });
    const { case_id: id } = await send('/api/v2/case', { method: 'POST', json: { title: 'Case', summary: 'Case' } });
    const rule = { query: QUERY, destination: 'found/{{howler.id}}' };
    await send(`/api/v2/case/${id}/rules?refresh=wait_for`, { method: 'POST', json: rule });
  });
  after(async () => {
    await Promise.all([http, ...workers, ...sockets].map((program) => program?.stop()));
    await fixture?.clear();
  });

  it('answer health checks and metrics, each on its own port', async () => {
    for (const program of [http, ...workers, ...sockets]) {
      for (const path of ['/healthz/', '/api/healthz/live', '/api/healthz/ready', '/metrics']) {
        assert.equal((await sendRequest(`${program.alerts}${path}`)).status, 200, path);
      }
    }
    for (const program of [...workers, ...sockets]) {
      assert.deepEqual(Object.keys(program.addresses), ['alerts']);
      const refused = await sendRequest(`${program.alerts}/api/v1/user/whoami`, { basic: ADMIN });
      assert.equal(refused.status, 404);
      assert.match(refused.json.api_error_message, /a process whose components include http\.$/);
    }
  });

  it('work on the triggers and rules of others, also when one of them is killed', async () => {
    const first = await createHit();
    await until('the alert was worked on', () => isWorkedOn(first), TAKEN_OVER);
    assert.equal(await runsOf(http), 0);
    const runs = await Promise.all(workers.map(runsOf));
    const [working] = workers.splice(runs[0] === 0 ? 1 : 0, 1);
    assert.ok(working);
    const written = await Promise.all(Array.from({ length: 20 }, createHit));
    await working.kill();
    const killedAt = performance.now();
    for (const id of written) {
      const left = killedAt + TAKEN_OVER - performance.now();
      await until('an alert was worked on by the other process', () => isWorkedOn(id), left);
    }
  });

  it('tell listeners of the alerts of others, also when one of them is killed', async () => {
    const [first, second] = sockets;
    assert.ok(first && second);
    const id = await createHit();
    const [leaving, staying] = await Promise.all([listen(first), listen(second)]);
    await hears(leaving, id);
    await leaving.send({ id, action: 'viewing', broadcast: false });
    await staying.next('viewers_update', (frame) => frame.id === id);
    sockets = [second];
    await first.kill();
    const killedAt = performance.now();
    await until('the connection ended', () => leaving.closed !== undefined);
    const again = await listen(second);
    await hears(again, id);
    await hears(staying, id);
    assert.ok(performance.now() - killedAt < TAKEN_OVER);
    for (const listener of [again, staying]) listener.close();
  });
});
