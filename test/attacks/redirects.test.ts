import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { SERVICES, type ServiceName } from '../../src/identity/actor.ts';
import { type AttackFixture, startAttackFixture } from './attack-fixture.ts';

let fixture: AttackFixture & AsyncDisposable;
before(async () => {
  fixture = await startAttackFixture();
});
after(() => fixture[Symbol.asyncDispose]());

/** The head of the answer to this request target, which no client would send as it is. */
function headOf(service: ServiceName, target: string): Promise<string> {
  const { port } = new URL(fixture.program.urls[service]);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), '127.0.0.1');
    let answer = '';
    socket.on('data', (part) => {
      answer += part;
    });
    socket.once('error', reject);
    socket.once('end', () => resolve(answer.split('\r\n\r\n', 1)[0] ?? ''));
    socket.write(`GET ${target} HTTP/1.1\r\nHost: triad.example.org\r\nConnection: close\r\n\r\n`);
  });
}

describe('a path with slashes too many, as it stands behind the host of a link', () => {
  const TARGETS = [
    '/\\evil.example//x',
    '/\\/evil.example//x',
    '//evil.example//x',
    '///evil.example//x',
    'http://evil.example//x',
    '//triad.example.org@evil.example//',
    '/%5Cevil.example//',
    '/%2F/evil.example//',
    '/.//evil.example//x',
  ];
  for (const target of TARGETS) {
    it(`${target} leads to no other host`, async () => {
      for (const service of SERVICES) {
        const head = await headOf(service, target);
        const [, location] = /^location: (.*)$/im.exec(head) ?? [];
        if (location === undefined) continue;
        for (const own of ['https://triad.example.org', 'http://triad.example.org']) {
          assert.equal(new URL(location, own).origin, own, location);
        }
      }
    });
  }
});
