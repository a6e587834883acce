import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keyCommand } from './key-command.ts';

const ADDRESS = 'http://127.0.0.1:5000';
const URL = `${ADDRESS}/api/v1/user/whoami`;

describe('the command of a new key', () => {
  it('signs in with it', () => {
    const command = keyCommand(ADDRESS, 'anna', { secret: 'reports:abc', agents: undefined });
    assert.equal(command, `curl -u 'anna:reports:abc' ${URL}`);
  });

  it('sends a key for impersonation beside the credential of its agent', () => {
    const command = keyCommand(ADDRESS, 'anné', { secret: 'deputy:abc', agents: ['bert', 'cleo'] });
    const [, encoded = ''] = /-H 'X-Impersonating: Basic ([^']+)'/.exec(command) ?? [];
    assert.equal(Buffer.from(encoded, 'base64').toString(), 'anné:deputy:abc');
    assert.equal(command, `curl -u 'bert' -H 'X-Impersonating: Basic ${encoded}' ${URL}`);
  });
});
