import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { submittedUriFile } from './uri-files.ts';

describe('addresses of submissions', () => {
  it('are stored as the files of the public system', () => {
    const hash = (address: string) => createHash('sha256').update(submittedUriFile(address)).digest('hex');
    assert.equal(hash('not a url'), '41e9ec8233a7030c3c0ec8a29942be888dd058d1497bb36db2aa3235dd273f6b');
    assert.equal(hash('golden.example'), 'a63af7e0fbe9fe83fa1982cbf33f76687968d66d07cd62493d34cff71a642315');
    assert.equal(submittedUriFile('http://198.51.100.9:8080/a b?x=1#f-123456').length, 24 + 5 + 41 + 1);
    assert.match(String(submittedUriFile('a b: c')), /^# Assemblyline URI file\nuri: ["']a b: c["']\n$/);
    assert.match(String(submittedUriFile(`https://a.example/${'x y '.repeat(100)}z`)), /^[^\n]*\n[^\n]*\n$/);
  });

  it('are refused with a scheme and no host', () => {
    for (const address of ['javascript:alert(1)', 'http:', 'http://', 'mailto:a@b.example', 'http:///x']) {
      assert.throws(() => submittedUriFile(address), { code: 'invalid_url' }, address);
    }
  });
});
