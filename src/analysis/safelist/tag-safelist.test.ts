import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DEFAULT_TAG_SAFELIST } from './default-tag-safelist.ts';
import { readTagSafelist } from './tag-safelist.ts';

describe('readTagSafelist', () => {
  it('reads the text that comes with the program: this machine and private networks are safe, others are not', () => {
    const safelist = readTagSafelist(DEFAULT_TAG_SAFELIST);
    const safe: readonly (readonly [type: string, value: string, expected: boolean])[] = [
      ['network.static.ip', '10.1.2.3', true],
      ['network.static.ip', '172.31.0.1', true],
      ['network.dynamic.ip', '192.168.0.1', true],
      ['network.static.ip', '172.32.0.1', false],
      ['network.static.ip', '8.8.8.8', false],
      ['network.static.ip', '110.1.2.3', false],
      ['network.dynamic.ip', 'fd00::1', true],
      ['network.static.domain', 'localhost', true],
      ['network.static.domain', 'www.w3.org', true],
      ['network.static.domain', 'www.microsoft.com', true],
      ['network.static.domain', 'microsoft.com.evil.example', false],
      ['network.static.domain', 'notmicrosoft.com', false],
      ['network.dynamic.uri', 'http://127.0.0.1:8080/x', true],
      ['network.dynamic.uri', 'http://www.w3.org/2001/XMLSchema', true],
      ['network.dynamic.uri', 'http://evil.example/http://127.0.0.1', false],
      ['file.behavior', 'localhost', false],
    ];
    for (const [type, value, expected] of safe)
      assert.equal(safelist.isSafe(type, value), expected, `${type} ${value}`);
  });

  it('compares values as they are, and matches patterns at the start alone', () => {
    const safelist = readTagSafelist('match: {file.rule.yara: [Good]}\nregex: {av.virus_name: ["Eicar", "b$"]}');
    assert.equal(safelist.isSafe('file.rule.yara', 'Good'), true);
    assert.equal(safelist.isSafe('file.rule.yara', 'good'), false);
    assert.equal(safelist.isSafe('av.virus_name', 'Eicar-Test'), true);
    assert.equal(safelist.isSafe('av.virus_name', 'The Eicar'), false);
    assert.equal(safelist.isSafe('av.virus_name', 'ab'), false);
  });

  it('takes a time that grows with the value alone for patterns that make others go back', () => {
    const safelist = readTagSafelist('regex: {av.virus_name: ["(a+)+$", "(a|aa)*b"]}');
    const started = performance.now();
    assert.equal(safelist.isSafe('av.virus_name', `${'a'.repeat(50_000)}c`), false);
    assert.ok(performance.now() - started < 5000);
  });

  it('refuses other sections, types, values and patterns in the words of the public system', () => {
    const refused: Readonly<Record<string, RegExp>> = {
      'match: [': /^Invalid tag_safelist.yml file submitted: ./,
      nothing: /must be an object/,
      'other: {}': /"other"/,
      'match: {no.tag: [a]}': /: no\.tag is not a valid tag type$/,
      'match: {network.static.ip: text}': /: Value for network\.static\.ip should be a list of strings$/,
      'match: {network.static.ip: [1]}': /list of strings/,
      'regex: {network.static.domain: ["(("]}': /"\(\("/,
      'regex: {network.static.domain: ["(?=x)"]}': /not valid/,
      'match: &a {}\nregex: *a': /aliases/,
    };
    for (const [yaml, message] of Object.entries(refused)) {
      assert.throws(() => readTagSafelist(yaml), { code: 'invalid_tag_safelist', message }, yaml);
    }
  });
});
