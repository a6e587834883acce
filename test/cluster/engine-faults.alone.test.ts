import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { slowness } from '../../src/testing/machine-speed.ts';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { type SpawnedProgram, spawnProgram } from '../../src/testing/spawn-program.ts';
import { type StartedServer, startServer } from '../servers/start-server.ts';
import { clusterFixture } from './cluster-fixture.ts';

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
type Json = any;

const TIMEOUT = 3000;
/** Milliseconds that an answer may take beyond the transport timeout, on a machine under load. */
const SLACK = 1500 * slowness();

interface Asked {
  readonly status: number;
  readonly retryAfter: string | null;
  readonly message: string;
  readonly body: Json;
  readonly took: number;
}

describe('while the search engine fails', () => {
  const { unavailable } = outsideServer('opensearch');
  if (unavailable !== undefined) {
    it('not run', { skip: unavailable });
    return;
  }

  let engine: StartedServer;
  let program: SpawnedProgram;
  const ask = async (path: string, json?: unknown): Promise<Asked> => {
    const started = performance.now();
    const answer = await fetch(`${program.alerts}${path}`, {
      method: json === undefined ? 'GET' : 'POST',
      headers: { authorization: `Basic ${btoa('admin:devkey:admin')}`, 'content-type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
    });
    const body = (await answer.json()) as Json;
    const took = performance.now() - started;
    const retryAfter = answer.headers.get('retry-after');
    return { status: answer.status, retryAfter, message: body.api_error_message, body: body.api_response, took };
  };
  const alerts = (from: number) =>
    Array.from({ length: 5 }, (_, n) => ({
      howler: { analytic: 'Faults', detection: 'Engine', hash: String(from + n).padStart(64, '0') },
    }));

  /**
   * Writes and searches without a pause while `disturb` runs and for a second after; what was answered,
   * and what was refused.
   */
  const duringTraffic = async (disturb: () => Promise<void>) => {
    const ids: string[] = [];
    const refused: Asked[] = [];
    let ended = false;
    let next = 0;
    const write = async () => {
      while (!ended) {
        next += 5;
        const answer = await ask('/api/v1/hit', alerts(next));
        if (answer.status === 201) ids.push(...answer.body.valid.map((hit: Json) => hit.howler.id as string));
        else refused.push(answer);
        await sleep(answer.status === 201 ? 5 : 100);
      }
    };
    const search = async () => {
      while (!ended) {
        const answer = await ask('/api/v1/search/hit', { query: 'howler.status:open', rows: 10 });
        if (answer.status !== 200) refused.push(answer);
        await sleep(answer.status === 200 ? 5 : 100);
      }
    };
    const traffic = Promise.all([write(), write(), search(), search()]);
    await sleep(1000);
    await disturb();
    await resumed();
    await sleep(1000);
    ended = true;
    await traffic;
    return { ids, refused };
  };
  const resumed = async () => {
    const deadline = performance.now() + 60_000;
    for (;;) {
      const [read, written] = await Promise.all([
        ask('/api/v1/search/hit', { query: '*:*', rows: 0 }),
        ask('/api/v1/hit', alerts(0)),
      ]);
      if (read.status === 200 && written.status === 201) return;
      assert.ok(
        performance.now() < deadline,
        `not resumed: ${read.status} ${read.message}, ${written.status} ${written.message}`,
      );
      await sleep(200);
    }
  };
  const refusedWell = (refused: readonly Asked[]) => {
    assert.ok(refused.length > 0, 'nothing was refused');
    for (const { status, retryAfter, message, took } of refused) {
      assert.equal(status, 503, message);
      assert.match(retryAfter ?? '', /^[1-9]\d*$/, message);
      assert.ok(took < TIMEOUT + SLACK, `answered after ${Math.round(took)} ms`);
    }
  };
  const allThere = async (ids: readonly string[]) => {
    for (const id of ids) assert.equal((await ask(`/api/v1/hit/${id}`)).status, 200, `${id} was answered and is lost`);
  };

  before(async () => {
    engine = await startServer('opensearch');
    const { environment } = clusterFixture('opensearch', engine.url);
    // Indices are made with the usual timeout: a server that has just started takes its time.
    await (await spawnProgram({ flags: ['--demo=users'], environment })).stop();
    program = await spawnProgram({
      environment: { ...environment, SVC_DATASTORE_TRANSPORT_TIMEOUT: String(TIMEOUT / 1000) },
    });
  });
  after(async () => {
    await program?.stop();
    await engine?.[Symbol.asyncDispose]();
  });

  it('refuses with 503 and Retry-After while it is killed, loses nothing answered, and resumes by itself', async () => {
    const { ids, refused } = await duringTraffic(async () => {
      await engine.kill();
      await sleep(3000);
      await engine.start();
    });
    refusedWell(refused);
    assert.ok(ids.length > 50 / slowness(), `only ${ids.length} alerts were written`);
    await allThere(ids);
  });

  it('does so too while the engine hangs', async () => {
    const { ids, refused } = await duringTraffic(async () => {
      engine.freeze();
      await sleep(2 * TIMEOUT);
      engine.resume();
    });
    refusedWell(refused);
    await allThere(ids);
  });

  it('says that an index is blocked, and that the disk is full', async () => {
    for (const [block, wanted] of [
      ['write', /write/i],
      ['read_only_allow_delete', /disk|full|space/i],
    ] as const) {
      const setting = (value: boolean | null) =>
        fetch(`${engine.url}/_all/_settings`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ [`index.blocks.${block}`]: value }),
        });
      await setting(true);
      try {
        const { status, message } = await ask('/api/v1/hit', alerts(0));
        assert.equal(status, 503, `${block}: ${message}`);
        assert.match(message, wanted);
        assert.equal((await ask('/api/v1/search/hit', { query: '*:*' })).status, 200, 'it is read on');
      } finally {
        await setting(null);
      }
      await resumed();
    }
  });

  it('does not start without the engine, and says why in a sentence', async () => {
    const { environment } = clusterFixture('opensearch', 'http://127.0.0.1:9');
    const started = performance.now();
    await assert.rejects(
      spawnProgram({ environment: { ...environment, SVC_DATASTORE_TRANSPORT_TIMEOUT: '1' } }),
      (error: Error) => {
        assert.match(error.message, /ended with status 1/);
        assert.match(error.message, /127\.0\.0\.1:9\b/);
        assert.doesNotMatch(error.message, /^\s+at /m, 'no stack trace');
        return true;
      },
    );
    assert.ok(performance.now() - started < 15_000 * slowness());
  });
});
