import { describe } from 'node:test';
import { expectToNotice } from '../../../testing/run-broken-adapter.ts';
import { BROKEN_DATASTORES } from './broken-datastores.ts';

const SCRIPT = new URL('./run-broken-datastore.ts', import.meta.url);

// That the suite passes on the sound adapter, behind a wrapper that does nothing, is a test of that adapter.
describe('the datastore suite', () => {
  expectToNotice(SCRIPT, BROKEN_DATASTORES);
});
