#!/usr/bin/env node
// Replays recorded conversations against a server: node replay.mjs BASE_URL FILE...
// Options: --idp=URL (where the scripted identity provider listens, default http://127.0.0.1:6480),
// --no-setup (do not run 00-setup.json first), --verbose (print each conversation).
import { readFileSync, existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import http from 'node:http';
import https from 'node:https';
import { pathToFileURL } from 'node:url';

const KINDS = {
  any: [() => true, '[\\s\\S]*'],
  string: [(v) => typeof v === 'string' || v === null, '[\\s\\S]*'],
  text: [(v) => typeof v === 'string' && v.length > 0, '[\\s\\S]+'],
  number: [(v) => typeof v === 'number', '-?\\d+(?:\\.\\d+)?'],
  int: [(v) => Number.isInteger(v), '-?\\d+'],
  bool: [(v) => typeof v === 'boolean', 'true|false'],
  time: [null, '\\d{4}-\\d\\d-\\d\\d[T ]\\d\\d:\\d\\d:\\d\\d(?:\\.\\d+)?(?:Z|[+-]\\d\\d:?\\d\\d)?'],
  id: [null, '[A-Za-z0-9_-]{8,64}'],
  etag: [null, '\\S+?'],
  hex: [null, '[0-9a-fA-F]+'],
  token: [null, '\\S+'],
  secret: [null, '\\S{16,}'],
  run: [null, '[a-z]+'],
  list: [(v) => Array.isArray(v), null],
  object: [(v) => v !== null && typeof v === 'object' && !Array.isArray(v), null],
};
for (const k of Object.values(KINDS)) if (!k[0]) { const re = new RegExp('^(?:' + k[1] + ')$'); k[0] = (v) => typeof v === 'string' && re.test(v); }
const NAME = `(?:${Object.keys(KINDS).join('|')}|[a-z]+:[A-Za-z0-9_-]+)`;
const ONE = new RegExp(`^\\{\\{(${NAME})\\}\\}$`);
const ALL = new RegExp(`\\{\\{(${NAME})\\}\\}`, 'g');
const esc = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
const show = (v) => { const s = JSON.stringify(v); return s === undefined ? 'nothing' : s.length > 160 ? s.slice(0, 157) + '...' : s; };
const isObj = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);
const kindOf = (n) => KINDS[n.split(':')[0]] ?? KINDS.any;

function fill(x, vars) {
  if (typeof x === 'string') {
    const m = ONE.exec(x);
    if (m && m[1] in vars) return vars[m[1]];
    return x.replace(ALL, (all, n) => (n in vars ? (typeof vars[n] === 'string' ? vars[n] : JSON.stringify(vars[n])) : all));
  }
  if (Array.isArray(x)) return x.map((v) => fill(v, vars));
  if (isObj(x)) return Object.fromEntries(Object.entries(x).map(([k, v]) => [fill(k, vars), fill(v, vars)]));
  return x;
}

function steps(p) {
  const out = [];
  for (const m of p.slice(1).matchAll(/\.([A-Za-z0-9_@-]+|\*)|\[(\d+|\*)\]|\['([^']+)'\]/g)) out.push(m[1] ?? m[2] ?? m[3]);
  return out;
}
function pick(o, toks) {
  if (!toks.length) return o;
  if (o === null || o === undefined) return undefined;
  const [t, ...rest] = toks;
  if (t === '*') return Object.values(o).map((x) => pick(x, rest));
  return pick(o[t], rest);
}
const onPath = (patterns, path) => patterns?.some((p) => { const a = steps(p); return a.length === path.length && a.every((t, i) => t === '*' || t === String(path[i])); });

// Returns null when `act` fits `exp`, otherwise a one-line reason. New placeholder bindings go to `vars`.
function diff(exp, act, step, vars, path = []) {
  const at = () => '$' + path.map((p) => '.' + p).join('');
  if (typeof exp === 'string' && exp.includes('{{')) {
    const m = ONE.exec(exp);
    if (m) {
      const n = m[1];
      if (n in vars) return same(vars[n], act) ? null : `${at()}: expected ${exp}=${show(vars[n])}, got ${show(act)}`;
      if (!kindOf(n)[0](act)) return `${at()}: ${show(act)} is not a ${n.split(':')[0]}`;
      if (n.includes(':')) vars[n] = act;
      return null;
    }
    let last = 0, re = '', names = [];
    for (const h of exp.matchAll(ALL)) {
      re += esc(exp.slice(last, h.index)); last = h.index + h[0].length;
      const n = h[1];
      if (n in vars) re += esc(String(vars[n]));
      else { const body = kindOf(n)[1] ?? '[\\s\\S]*'; if (n.includes(':')) { re += `(${body})`; names.push(n); } else re += `(?:${body})`; }
    }
    re += esc(exp.slice(last));
    const hit = typeof act === 'string' ? new RegExp('^' + re + '$').exec(act) : null;
    if (!hit) return `${at()}: expected ${show(exp)}, got ${show(act)}`;
    names.forEach((n, i) => { vars[n] = hit[i + 1]; });
    return null;
  }
  if (Array.isArray(exp)) {
    if (!Array.isArray(act)) return `${at()}: expected a list, got ${show(act)}`;
    const loose = onPath(step.contains, path), bag = loose || onPath(step.unordered, path);
    if (!loose && exp.length !== act.length) return `${at()}: expected ${exp.length} items, got ${act.length}`;
    if (!bag) {
      for (let i = 0; i < exp.length; i++) { const d = diff(exp[i], act[i], step, vars, [...path, i]); if (d) return d; }
      return null;
    }
    const left = act.map((v, i) => i);
    for (let i = 0; i < exp.length; i++) {
      let why = null, found = -1;
      for (const j of left) { const trial = { ...vars }; const d = diff(exp[i], act[j], step, trial, [...path, i]); if (!d) { found = j; Object.assign(vars, trial); break; } if (!why || d.split(':')[0].length > why.split(':')[0].length) why = d; }
      if (found < 0) return `${at()}: no item fits ${show(exp[i])}${why ? ' (nearest: ' + why + ')' : ''}`;
      left.splice(left.indexOf(found), 1);
    }
    return null;
  }
  if (isObj(exp)) {
    if (!isObj(act)) return `${at()}: expected an object, got ${show(act)}`;
    const want = Object.fromEntries(Object.entries(exp).map(([k, v]) => [fill(k, vars), v]));
    for (const k of Object.keys(want)) {
      if (!(k in act)) return `${at()}: missing key ${k}`;
      const d = diff(want[k], act[k], step, vars, [...path, k]); if (d) return d;
    }
    if (!step.partial) for (const k of Object.keys(act)) if (!(k in want) && !(path.length === 0 && k === 'api_server_version')) return `${at()}: unexpected key ${k}`;
    return null;
  }
  return Object.is(exp, act) || exp === act ? null : `${at()}: expected ${show(exp)}, got ${show(act)}`;
}
function same(a, b) {
  if (a === b) return true;
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((v, i) => same(v, b[i]));
  if (isObj(a)) return isObj(b) && Object.keys(a).length === Object.keys(b).length && Object.keys(a).every((k) => same(a[k], b[k]));
  return false;
}

const agents = { 'http:': new http.Agent({ keepAlive: false }), 'https:': new https.Agent({ keepAlive: false, rejectUnauthorized: false }) };
export function send(base, req, vars) {
  const b64 = (s) => Buffer.from(fill(s, vars), 'utf8').toString('base64');
  const headers = {};
  for (const [k, v] of Object.entries(req.headers ?? {})) headers[k] = fill(v, vars);
  if ('basic' in req) headers.Authorization = 'Basic ' + b64(req.basic);
  if ('bearer' in req) headers.Authorization = 'Bearer ' + fill(req.bearer, vars);
  if ('impersonate' in req) headers['X-Impersonating'] = 'Basic ' + b64(req.impersonate);
  let payload;
  if ('raw' in req) payload = Buffer.from(fill(req.raw, vars));
  else if ('body' in req) payload = Buffer.from(JSON.stringify(fill(req.body, vars)));
  if (payload) headers['Content-Length'] = payload.length;
  const path = fill(req.path, vars).replace(/[^A-Za-z0-9/?&=%:,+*~@!$'();\-._]/gu, (c) => encodeURIComponent(c));
  const u = new URL(base);
  return new Promise((resolve, reject) => {
    const started = Date.now();
    const r = (u.protocol === 'https:' ? https : http).request({ protocol: u.protocol, hostname: u.hostname, port: u.port, method: req.method, path: u.pathname.replace(/\/$/, '') + path, headers, agent: agents[u.protocol], timeout: 60000 }, (res) => {
      const chunks = [];
      res.on('data', (c) => chunks.push(c));
      res.on('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        let body = text === '' ? null : text;
        if (/json/.test(res.headers['content-type'] ?? '') && text !== '') try { body = JSON.parse(text); } catch { /* keep the text */ }
        resolve({ status: res.statusCode, headers: res.headers, body, ms: Date.now() - started });
      });
    });
    r.on('timeout', () => r.destroy(new Error('timeout')));
    r.on('error', reject);
    if (payload) r.write(payload);
    r.end();
  });
}

// Reads one captured value: $.json.path, $headers.name, $cookies.name or $location.parameter.
export function grab(got, p) {
  if (p.startsWith('$headers.')) return got.headers[p.slice(9)];
  if (p.startsWith('$cookies.')) return (got.headers['set-cookie'] ?? []).map((c) => c.split(';')[0].split('=')).find(([n]) => n === p.slice(9))?.slice(1).join('=');
  if (p.startsWith('$location.')) return new URL(got.headers.location ?? '', 'http://x').searchParams.get(p.slice(10)) ?? undefined;
  return pick(got.body, steps(p));
}

export function judge(step, got, vars) {
  if (!step.accident) return compare(step.response, step, got, vars);
  const env = isObj(got.body) && 'api_response' in got.body && typeof got.body.api_error_message === 'string' && got.body.api_status_code === got.status;
  if (step.response.status >= 400 && got.status >= 400 && env && !/\n/.test(got.body.api_error_message)) return null;
  let first = null;
  for (const want of [...(step.accept ?? []), step.response]) {
    const trial = { ...vars }, why = compare(want, step, got, trial);
    if (!why) { Object.assign(vars, trial); return null; }
    first ??= why;
  }
  return first;
}

function compare(want, step, got, vars) {
  if (step.max_ms && got.ms > step.max_ms) return `took ${got.ms} ms, at most ${step.max_ms} allowed`;
  if (got.status !== want.status) return `status ${got.status}, expected ${want.status} (${show(got.body?.api_error_message ?? got.body)})`;
  for (const [k, v] of Object.entries(want.headers ?? {})) {
    if (k === 'etag' && want.status >= 400) continue; // recorded for information only
    const a = got.headers[k];
    if (k === 'set-cookie') {
      const names = (a ?? []).map((c) => c.split('=')[0]).filter((n) => n !== 'session');
      for (const n of v) if (!names.includes(n)) return `header set-cookie: ${n} not set (${names.join(',')})`;
    } else if (k === 'content-type') {
      if ((a ?? '').split(';')[0].trim() !== v) return `header content-type: expected ${v}, got ${a}`;
    } else if (k === 'allow' && v !== null) { // a set of methods
      const set = (x) => String(x ?? '').split(/, */).sort().join(', ');
      if (set(a) !== set(v)) return `header allow: expected ${v}, got ${a}`;
    } else if (v === null) {
      if (a !== undefined) return `header ${k}: expected none, got ${a}`;
    } else { const d = diff(v, a, step, vars, ['header', k]); if (d) return d; }
  }
  if (want.location) {
    const u = new URL(got.headers.location ?? '', 'http://nowhere');
    const d = diff(want.location, { path: u.pathname, query: Object.fromEntries(u.searchParams) }, step, vars, ['location']);
    if (d) return d;
  }
  if ('body' in want) return diff(want.body, got.body, step, vars);
  return null;
}

async function play(base, file, globals, setup) {
  const c = JSON.parse(readFileSync(file, 'utf8'));
  const vars = { ...globals };
  let ok = 0, bad = 0;
  for (const [i, step] of c.steps.entries()) {
    let why = null;
    for (let n = 0; ; n++) {
      const trial = { ...vars };
      try {
        const got = await send(step.request.server === 'idp' ? idp : base, step.request, trial);
        for (const [k, p] of Object.entries(step.capture ?? {})) {
          const v = grab(got, p);
          if (v !== undefined) trial[k] = v;
        }
        why = step.check === false ? null : judge(step, got, trial);
      } catch (e) { why = `request failed: ${e.message}`; }
      if (!why || !step.eventually || n >= 20) { Object.assign(vars, trial); break; }
      await new Promise((r) => setTimeout(r, 400));
    }
    if (why) { bad++; console.log(`MISMATCH ${c.name}#${i + 1} ${step.request.method} ${step.request.path}: ${why}`.replace(/\s*\n\s*/g, ' ')); } else ok++;
  }
  if (setup) Object.assign(globals, vars);
  return [ok, bad];
}

let idp = 'http://127.0.0.1:6480';
async function main() {
  const args = process.argv.slice(2).filter((a) => !a.startsWith('--'));
  const flags = new Set(process.argv.slice(2).filter((a) => a.startsWith('--')));
  const [base, ...files] = args;
  idp = [...flags].find((f) => f.startsWith('--idp='))?.slice(6) ?? idp;
  if (!base || !files.length) { console.error('usage: node replay.mjs BASE_URL FILE... [--no-setup] [--verbose]'); process.exit(2); }
  const rank = (f) => (basename(f).startsWith('00-') ? 0 : 1);
  files.sort((a, b) => rank(a) - rank(b) || (basename(a) < basename(b) ? -1 : 1));
  let ok = 0, bad = 0;
  const byDir = Map.groupBy ? Map.groupBy(files, dirname) : files.reduce((m, f) => m.set(dirname(f), [...(m.get(dirname(f)) ?? []), f]), new Map());
  for (const [dir, list] of byDir) {
    const globals = { run: Array.from({ length: 10 }, () => String.fromCharCode(97 + Math.floor(Math.random() * 26))).join('') };
    const first = join(dir, '00-setup.json');
    if (!flags.has('--no-setup') && existsSync(first) && !list.some((f) => basename(f) === '00-setup.json')) list.unshift(first);
    for (const f of list) {
      const [o, b] = await play(base, f, globals, basename(f) === '00-setup.json');
      ok += o; bad += b;
      if (flags.has('--verbose')) console.log(`${b ? 'FAIL' : 'ok  '} ${basename(f)} ${o}/${o + b}`);
    }
  }
  console.log(`${ok} passed, ${bad} failed`);
  process.exit(bad ? 1 : 0);
}
if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
