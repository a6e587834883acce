import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { openTestFiles } from '../../testing/analysis/open-test-files.ts';
import { sourceOfBytes } from '../formats/byte-source.ts';
import { uriFile } from '../formats/uri-file.ts';
import type { Identification } from './identification.ts';
import { identificationRules } from './identification-rules.ts';
import { IdentificationTexts } from './identification-texts.ts';
import { isIdentifiedKind } from './identified-kinds.ts';
import { LABEL_PATTERNS } from './label-kinds.ts';
import { MAGIC_RULES } from './magic-rules.ts';
import { FALLBACK_MIME_KINDS, MIME_KINDS } from './mime-kinds.ts';
import { OFFICE_CLASS_KINDS } from './office-classes.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A program for Windows of which only the headers are there. */
function aProgram(machine: number, characteristics: number): Buffer {
  const bytes = Buffer.alloc(0x200);
  bytes.write('MZ');
  bytes.writeUInt32LE(0x80, 0x3c);
  bytes.write('PE\0\0', 0x80);
  bytes.writeUInt16LE(machine, 0x84);
  bytes.writeUInt16LE(characteristics, 0x96);
  return bytes;
}

/** A zip archive of empty members. */
function aZip(...names: readonly string[]): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.alloc(30 + name.length);
    local.writeUInt32LE(0x04034b50);
    local.writeUInt16LE(20, 4);
    local.writeUInt16LE(name.length, 26);
    local.write(name, 30);
    const entry = Buffer.alloc(46 + name.length);
    entry.writeUInt32LE(0x02014b50);
    entry.writeUInt16LE(name.length, 28);
    entry.writeUInt32LE(offset, 42);
    entry.write(name, 46);
    parts.push(local);
    directory.push(entry);
    offset += local.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, listed, end]);
}

const OFFICE = ['[Content_Types].xml', '_rels/.rels'];
const CASES: readonly (readonly [type: string, content: Buffer])[] = [
  ['empty', Buffer.alloc(0)],
  ['unknown', Buffer.from('R29sZGVuIHZpZXcAAX/CgMO/', 'base64')],
  ['text/plain', latin1('nothing of note\n')],
  ['text/plain', Buffer.from('Größe und Maß\n')],
  ['code/shell', latin1('#!/bin/sh\necho golden\n')],
  ['code/python', latin1('#!/usr/bin/env python3\nimport os\n')],
  ['code/ps1', latin1('#!/usr/bin/env pwsh\nGet-Item x\n')],
  ['code/html', latin1('<!DOCTYPE html>\n<html><body>hello</body></html>\n')],
  ['code/xml', latin1('<?xml version="1.0"?>\n<a><b/></a>\n')],
  ['text/json', latin1('{"a": [1, 2, {"b": null}]}\n')],
  ['text/csv', latin1('name,size\na,1\nb,2\nc,3\n')],
  ['text/csv', latin1('name,"size, bytes"\n"a ""b""",1\nb,2\nc,3\n')],
  ['document/pdf', latin1('%PDF-1.4\n% golden\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')],
  ['document/pdf/passwordprotected', latin1('%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<</Encrypt 2 0 R>>\n%%EOF\n')],
  ['document/office/rtf', latin1('{\\rtf1\\ansi hello}')],
  ['document/email', latin1('From: a@example.org\nTo: b@example.org\nSubject: x\n\nhello\n')],
  ['image/png', Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000', 'hex')],
  ['image/gif', latin1('GIF89a\x01\x00\x01\x00\x80\x00\x00')],
  ['archive/gzip', gzipSync('hello')],
  ['archive/zip', aZip('a.txt', 'b.txt')],
  ['java/jar', aZip('META-INF/MANIFEST.MF', 'a.class')],
  ['java/jar', aZip('a.class', 'b.class', 'c.txt')],
  ['android/apk', aZip('META-INF/X', 'AndroidManifest.xml', 'classes.dex')],
  ['ios/ipa', aZip('Payload/a.app/Info.plist')],
  ['document/office/word', aZip(...OFFICE, 'word/document.xml')],
  ['document/office/excel', aZip(...OFFICE, 'xl/workbook.xml')],
  ['document/office/powerpoint', aZip(...OFFICE, 'ppt/a.xml')],
  ['document/office/unknown', aZip(...OFFICE)],
  ['archive/zip', aZip(...OFFICE, 'a.nuspec', 'package/services/metadata/core-properties/a.psmdcp')],
  ['executable/windows/pe32', aProgram(0x014c, 0x0102)],
  ['executable/windows/dll32', aProgram(0x014c, 0x2102)],
  ['executable/windows/pe64', aProgram(0x8664, 0x0022)],
  ['executable/windows/dll64', aProgram(0x8664, 0x2022)],
  ['executable/windows/arm/dll64', aProgram(0xaa64, 0x2022)],
  ['executable/windows/ia/pe64', aProgram(0x0200, 0x0022)],
  ['executable/windows/dos', latin1(`MZ${'\x90\x00'.repeat(100)}`)],
  ['uri/https', Buffer.from(uriFile('https://user@host.example:8443/a/b?c=d'))],
  ['text/plain', latin1('# Assemblyline URI file\nno: uri\n')],
  ['corrupted/cart', Buffer.concat([latin1('CART\x01\x00'), Buffer.alloc(60)])],
  ['resource/pickle/v4', latin1('\x80\x04\x95\x00.')],
  ['shortcut/web', latin1('[InternetShortcut]\r\nURL=http://host.example/\r\n')],
  ['quarantine/avast', latin1('-chest- \x00\x01\x02')],
];

describe('identification', () => {
  let opened: Awaited<ReturnType<typeof openTestFiles>>;
  let identification: Identification;
  let texts: IdentificationTexts;
  before(async () => {
    opened = await openTestFiles();
    ({ identification } = opened);
    texts = new IdentificationTexts({ values: opened.values, identification });
  });
  after(() => opened.close());
  const identify = (content: Buffer) => identification.identify(sourceOfBytes(content), content);

  for (const [type, content] of CASES) {
    it(`recognises ${type}: ${JSON.stringify(content.toString('latin1', 0, 24))}`, async () => {
      assert.equal((await identify(content)).type, type);
    });
  }

  it('gives labels and media types as the public system recorded them', async () => {
    const answers = [
      ['ASCII text', 'text/plain', 'us-ascii', latin1('nothing of note\n')],
      ['data', 'application/octet-stream', 'binary', Buffer.from('R29sZGVuIHZpZXcAAX/CgMO/', 'base64')],
      ['POSIX shell script text executable', 'text/x-shellscript', 'us-ascii', latin1('#!/bin/sh\necho golden\n')],
      ['PDF document, version 1.4', 'application/pdf', 'us-ascii', latin1('%PDF-1.4\n%%EOF\n')],
      ['Zip archive data, at least v2.0', 'application/zip', 'binary', aZip('a.txt')],
    ] as const;
    for (const [magic, mime, charset, content] of answers) {
      const { type: _type, ...identity } = await identify(content);
      assert.deepEqual(identity, { magic, mime, charset });
    }
  });

  it('splits the URI of a file that stands for one', async () => {
    const { uriInfo } = await identify(Buffer.from(uriFile('https://us%20er:pw@Host.Example:8443/a;b?c=d#e')));
    assert.deepEqual(uriInfo, {
      uri: 'https://us%20er:pw@Host.Example:8443/a;b?c=d#e',
      scheme: 'https',
      netloc: 'us%20er:pw@Host.Example:8443',
      path: '/a',
      params: 'b',
      query: 'c=d',
      fragment: 'e',
      username: 'us er',
      password: 'pw',
      hostname: 'host.example',
      port: 8443,
    });
  });

  it('gives known kinds alone', () => {
    const kinds = [
      ...Object.values(MIME_KINDS),
      ...Object.values(FALLBACK_MIME_KINDS),
      ...OFFICE_CLASS_KINDS.values(),
      ...LABEL_PATTERNS.map(({ al_type: kind }) => kind),
      ...[...MAGIC_RULES.matchAll(/custom: (\S+)/g)].map(([, kind = '']) => kind).filter((kind) => kind !== 'uri'),
      ...CASES.map(([type]) => type),
    ];
    assert.deepEqual(
      kinds.filter((kind) => !isIdentifiedKind(kind)),
      [],
    );
  });

  it('uses the texts of administrators, and its own ones after they are reset', async () => {
    const content = latin1('FOOBAR\n');
    await texts.set('magic', '0\tstring\tFOOBAR\tcustom: archive/ace\n');
    assert.equal((await identify(content)).type, 'archive/ace');
    await texts.set('magic', null);
    assert.equal((await identify(content)).type, 'text/plain');
    await texts.set('patterns', '- al_type: text/ini\n  regex: ^ascii text$\n');
    assert.equal((await identify(content)).type, 'text/ini');
    await texts.set('patterns', null);
    await texts.set('mimes', 'text/plain: text/troff\n');
    assert.equal((await identify(content)).type, 'text/troff');
    await texts.set('mimes', await texts.get('mimes', true));
    assert.equal((await identify(content)).type, 'text/plain');
  });

  it('refuses texts that it cannot use', async () => {
    const refused: readonly (readonly [Parameters<typeof texts.set>[0], string, RegExp])[] = [
      ['magic', '((not yaml: [', /^The magic file you have submitted is invalid\.$/],
      ['mimes', '((not yaml: [', /not valid YAML|mapping/],
      ['mimes', '- a', /YAML mapping/],
      ['mimes', 'Text/Plain: text/plain', /Invalid mimetype in item/],
      ['mimes', 'text/plain: plain', /Invalid AL type in item/],
      ['patterns', 'a: b', /YAML list/],
      ['patterns', '- regex: a', /Missing 'al_type'/],
      ['patterns', '- al_type: text/plain', /Missing 'regex'/],
      ['patterns', '- al_type: text/plain\n  regex: "("', /Invalid regular expression/],
      ['patterns', '- al_type: text/plain\n  regex: "(a)\\\\1"', /Invalid regular expression/],
      ['patterns', '- null', /Missing 'al_type'/],
      ['yara', '((not yaml: [', /^The Yara file you have submitted is invalid: line 1/],
      ['yara', 'rule a { strings: $a = "x" }', /no condition/],
      ['yara', 'rule a { condition: true', /no closing brace/],
      ['yara', 'rule a { condition: true }\n// twice\nrule a { condition: true }', /line 3: the rule a occurs twice/],
    ];
    for (const [name, text, message] of refused) {
      const expected = { code: 'invalid_identification_text', message, response: { success: false } };
      await assert.rejects(texts.set(name, text), expected, `${name} ${text}`);
    }
    const rule =
      'import "pe"\nprivate rule a : b c { meta: type = "x" strings: $a = "}" $b = /}/ condition: $a or $b }';
    await texts.set('yara', rule);
    assert.equal(await texts.get('yara', false), rule);
    await texts.set('yara', null);
  });

  it('runs patterns that would backtrack in little time', async () => {
    await texts.set('patterns', '- al_type: text/ini\n  regex: (a+)+$\n');
    const begun = performance.now();
    const { kindOf } = { kindOf: await identificationRules(opened.values).labels() };
    assert.equal(kindOf.kindOf(`${'a'.repeat(5000)}!`), undefined);
    assert.ok(performance.now() - begun < 1000);
    await texts.set('patterns', null);
  });

  it('does not fail over random bytes and cut off files', async () => {
    for (const [, content] of CASES) {
      for (const end of [1, 5, 20, 63]) await identify(content.subarray(0, end));
      await identify(Buffer.from(content.map((byte, index) => (index % 7 === 3 ? byte ^ 0xff : byte))));
    }
  });
});
