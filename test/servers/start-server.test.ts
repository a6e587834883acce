import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { outsideServer } from '../../src/testing/servers/outside-servers.ts';
import { startServer } from './start-server.ts';

const redis = outsideServer('redis');
const run = promisify(execFile);

describe('a server that a test starts for itself', { skip: redis.unavailable }, () => {
  it('is stopped, killed, frozen and started again on the same address, with its data', async () => {
    await using server = await startServer('redis', { env: { APPENDONLY: 'yes' } });
    const redisClient = (...command: string[]) => redisCommand(server.port, ...command);
    assert.equal(server.url, `redis://127.0.0.1:${server.port}`);
    assert.equal(await redisClient('set', 'key', 'kept'), 'OK');

    await server.kill();
    assert.equal(server.pid, undefined);
    await assert.rejects(redisClient('get', 'key'));
    await server.start();
    assert.equal(await redisClient('get', 'key'), 'kept');

    server.freeze();
    await assert.rejects(redisClient('get', 'key'), { killed: true });
    server.resume();
    assert.equal(await redisClient('get', 'key'), 'kept');

    await server.stop();
    await assert.rejects(redisClient('ping'));
    await server.start();
    assert.equal(await redisClient('get', 'key'), 'kept');
  });

  it('is gone after its test, and two at a time do not disturb each other', async () => {
    const [first, second] = await Promise.all([startServer('redis'), startServer('redis')]);
    assert.notEqual(first.port, second.port);
    await first[Symbol.asyncDispose]();
    assert.equal(await answers(second.port), true);
    await second[Symbol.asyncDispose]();
    assert.deepEqual(await Promise.all([first, second].map(({ port }) => answers(port))), [false, false]);
  });

  it('rejects with what the script printed when it cannot start', async () => {
    await assert.rejects(startServer('redis', { env: { APPENDONLY: 'perhaps' } }), /the server ended while it started/);
  });
});

async function redisCommand(port: number, ...command: string[]): Promise<string> {
  return (await run('redis-cli', ['-p', String(port), ...command], { timeout: 500 })).stdout.trim();
}

async function answers(port: number): Promise<boolean> {
  return (await redisCommand(port, 'ping').catch(() => '')) === 'PONG';
}
