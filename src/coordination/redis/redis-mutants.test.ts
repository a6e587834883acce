import { describe } from 'node:test';
import { expectToNotice } from '../../testing/run-broken-adapter.ts';
import { outsideServer } from '../../testing/servers/outside-servers.ts';
import { BROKEN_REDIS } from './conformance-broken.ts';

const SCRIPT = new URL('./conformance-broken.ts', import.meta.url);

describe('the coordination suite on two processes', { skip: outsideServer('redis').unavailable ?? false }, () => {
  expectToNotice(SCRIPT, BROKEN_REDIS);
});
