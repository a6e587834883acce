import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { WASMagic, WASMagicFlags } from 'wasmagic';
import { MAGIC_RULES } from './magic-rules.ts';
import { type LibmagicMemory, RegexRules } from './regex-rules.ts';

const FILLER = 'A line that no rule is about, 0123456789.\n';
/** Texts of many kinds; each is tried at the start and far behind it, and in several character sets. */
const TEXTS: readonly string[] = [
  FILLER,
  '#!/bin/sh\nset -e\necho "$1"\n',
  '#! /usr/bin/env  -S deno run\nconsole.log(1)\n',
  '#!/usr/bin/perl -w\nuse strict;\npackage Foo::Bar;\n1;\n',
  '#!/usr/bin/env python3\nimport os\n',
  'import os as x\nfrom a.b import c\n\ndef main(argv):\n    """Text."""\n',
  'class Thing(Base):\n\tpass\n',
  '<!DOCTYPE html>\n<html><head><title>x</title></head></html>\n',
  '<?xml version="1.0" encoding="utf-8"?>\n<a><b c="d"/></a>\n',
  '<svg xmlns="http://www.w3.org/2000/svg"><g/></svg>\n',
  '{"a": [1, 2.5, {"b": null}], "c": "d"}\n',
  '{"a": 1}\n{"a": 2}\n',
  'name,size\na,1\nb,2\nc,3\n',
  '/* text */\n#include <stdio.h>\nint main(void) { return 0; }\n',
  '#pragma once\nnamespace a {\ntemplate <typename T>\nclass B {\nprivate:\n  int b;\n};\n}\n',
  'package a.b;\n\nimport java.util.List;\n\npublic class C {\n}\n',
  'const fs = require("fs");\nexport default function main() {}\n',
  'import x from "./y.js";\nif (typeof z !== "undefined") (async function () {})();\n',
  'module.exports = { a: 1 };\n',
  "  require 'set'\n  class Thing < Other\n    def go\n    end\n  end\n",
  '(ns a.b\n  (:require [c.d]))\n(defn- f [x] x)\n',
  '  .globl main\n  .text\n  .file "a.c"\nmain:\n',
  'From a@example.org Mon Jan  1 00:00:00 2024\nFrom: a@example.org\nSubject: x\n\nhello\n',
  'Return-Path: <a@example.org>\nReceived: from b\nMIME-Version: 1.0\nContent-Type: multipart/mixed\n\n--x\n',
  'Path: x\nArticle:   123\n',
  '1\r\n00:00:01,000 --> 00:00:02,000\r\nhello\r\n',
  ': square ( n -- n*n ) dup * ;\n',
  'CFLAGS=-O2\nall: a.o\n\tcc -o a a.o\n',
  '.TH A 1\n.SH NAME\na - b\n',
  'BEGIN { x = 1 }\n{ print }\n',
  '\\documentclass{article}\n\\begin{document}\n\\begindata{text}\n',
  '#import "a.typ"\n#set page()\n',
  '(;GM[1]FF[4]SZ[19];B[aa])\n',
  'begin 644 a.txt\n#0V%T\n`\nend\n',
  `q1\t0\tchr1\t5\t60\t4M\t*\t0\t0\tACGT\t!!!!\tNM:i:0\n`,
  '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n',
  'diff --git a/a b/a\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n',
  '[InternetShortcut]\r\nURL=http://host.example/\r\n',
  '@echo off\r\nrem text\r\nset A=1\r\n',
  'SELECT * FROM a;\nCREATE TABLE b (c int);\n',
  'BEGIN:VCALENDAR\r\nVERSION:2.0\r\nEND:VCALENDAR\r\n',
  '{\\rtf1\\ansi hello}',
  '%PDF-1.4\n%%EOF\n',
  'a'.repeat(12_000),
  'Größe: 5 µm\nimport größe;\n',
  '\x1b[1mbold\x1b[0m \x08 text\n',
];
const BINARIES: readonly Buffer[] = [
  gzipSync('hello'),
  Buffer.from('89504e470d0a1a0a0000000d494844520000000100000001080600000000', 'hex'),
  Buffer.from('import os\n\0\0\0'),
  Buffer.from('\x7fELF\x02\x01\x01'.padEnd(80, '\0'), 'latin1'),
  Buffer.from(Array.from({ length: 5000 }, (_, index) => (index * 7919) % 256)),
  // EBCDIC
  Buffer.from(Array.from({ length: 400 }, (_, index) => [0xc8, 0x85, 0x93, 0x93, 0x96, 0x40, 0x25][index % 7] ?? 0)),
];

function variants(text: string): readonly Buffer[] {
  const utf8 = Buffer.from(text);
  const utf16 = Buffer.from(text, 'utf16le');
  return [
    utf8,
    Buffer.from(text, 'latin1'),
    Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), utf8]),
    Buffer.concat([Buffer.from([0xff, 0xfe]), utf16]),
    Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(utf16).swap16()]),
    utf16,
    Buffer.from(text.replaceAll(/(?<!\r)\n/g, '\r\n')),
    Buffer.from(FILLER.repeat(60) + text),
    Buffer.from(FILLER.repeat(60) + text + FILLER.repeat(1600)),
  ];
}

describe('RegexRules', () => {
  const { CONTINUE, RAW, MIME_TYPE, MIME_ENCODING } = WASMagicFlags;
  const load = (flags: number) =>
    WASMagic.create({ flags, magicFiles: [Buffer.from(MAGIC_RULES)], loadDefaultMagicfile: true });
  const memoryOf = (magic: WASMagic) => (magic as unknown as { readonly Module: LibmagicMemory }).Module;
  const passes = [CONTINUE | RAW, CONTINUE | RAW | MIME_TYPE | MIME_ENCODING];
  let pairs: readonly { readonly plain: WASMagic; readonly prepared: WASMagic; readonly rules: RegexRules }[];
  before(async () => {
    pairs = await Promise.all(
      passes.map(async (flags) => {
        const [plain, prepared] = await Promise.all([load(flags), load(flags)]);
        return { plain, prepared, rules: new RegexRules(memoryOf(prepared)) };
      }),
    );
  });
  const assertEqual = (content: Buffer) => {
    for (const { plain, prepared, rules } of pairs) {
      rules.prepare(content);
      const what = JSON.stringify(content.toString('latin1').trimStart().slice(0, 60));
      assert.equal(prepared.detect(content), plain.detect(content), what);
    }
  };

  it('finds the regular expressions of the installed libmagic', () => {
    for (const { rules } of pairs) {
      const patterns = new Set(rules.rules.map(({ pattern }) => pattern));
      assert.ok(patterns.size >= 60, `${patterns.size} regular expressions`);
      assert.ok(patterns.has('^import.*;$'));
    }
  });

  it('leaves what is no libmagic as it is', () => {
    const { rules } = new RegexRules({ HEAPU8: new Uint8Array(4096).fill(0x1c) });
    assert.deepEqual(rules, []);
  });

  it('changes no label and no media type', () => {
    for (const text of TEXTS) for (const content of variants(text)) assertEqual(content);
    for (const content of BINARIES) assertEqual(content);
  });

  it('changes nothing for mixtures of what rules look for', () => {
    const [{ rules }] = pairs as [(typeof pairs)[number]];
    const words = [...rules.rules.flatMap(({ required }) => required), ' x ', '\n', ';\n', '= ', ' from ', '" ', '('];
    let seed = 11;
    const next = (limit: number) => {
      seed = (seed * 48271) % 2147483647;
      return seed % limit;
    };
    for (let round = 0; round < 60; round++) {
      const text = Array.from({ length: 40 }, () => words[next(words.length)]).join('');
      assertEqual(Buffer.from(text));
    }
  });

  it('makes text without such words cheap', () => {
    const [{ plain, prepared, rules }] = pairs as [(typeof pairs)[number]];
    const content = Buffer.from(FILLER.repeat(250));
    const timeOf = (detect: () => unknown) => {
      const times = Array.from({ length: 15 }, () => {
        const { user } = process.threadCpuUsage();
        detect();
        return process.threadCpuUsage().user - user;
      });
      return Math.min(...times);
    };
    const alone = timeOf(() => plain.detect(content));
    const together = timeOf(() => {
      rules.prepare(content);
      return prepared.detect(content);
    });
    assert.ok(together < alone / 2, `${together} µs instead of ${alone}`);
  });
});
