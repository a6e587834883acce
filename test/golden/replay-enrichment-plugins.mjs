#!/usr/bin/env node
// Serves scripted enrichment plugins from JSON fixtures: node scripted-plugins.mjs DIR... [--host 127.0.0.1] [--free-ports]
// With --free-ports each listens on any port; one line of JSON on the output gives the real port of each recorded one.
// Every DIR/*.json is one plugin {name, port, routes, lookup}; files of later folders with the same name add to it.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import http from 'node:http';

const argv = process.argv.slice(2);
let host = '127.0.0.1', freePorts = false;
const dirs = [];
for (let i = 0; i < argv.length; i++) { if (argv[i] === '--host') host = argv[++i]; else if (argv[i] === '--free-ports') freePorts = true; else dirs.push(argv[i]); }
if (!dirs.length) { console.error('usage: node scripted-plugins.mjs DIR... [--host HOST]'); process.exit(2); }

const plugins = new Map();
for (const d of dirs) for (const f of readdirSync(d).filter((n) => n.endsWith('.json')).sort()) {
  const p = JSON.parse(readFileSync(join(d, f), 'utf8'));
  const old = plugins.get(p.name) ?? { name: p.name, routes: [], lookup: {} };
  old.port = p.port ?? old.port;
  old.routes = [...(p.routes ?? []), ...old.routes];
  for (const [t, values] of Object.entries(p.lookup ?? {})) old.lookup[t] = { ...old.lookup[t], ...values };
  plugins.set(p.name, old);
}

const envelope = (response, message = '', status = 200) => ({ api_response: response, api_error_message: message, api_status_code: status });
const fits = (want, have) => {
  if (want === null || typeof want !== 'object') return want === have;
  if (Array.isArray(want)) return Array.isArray(have) && want.length === have.length && want.every((w, i) => fits(w, have[i]));
  return have !== null && typeof have === 'object' && Object.entries(want).every(([k, v]) => fits(v, have[k]));
};
const unquote = (s) => { try { return decodeURIComponent(s); } catch { return s; } };
const sleep = (ms) => new Promise((r) => setTimeout(r, ms));
const SEEN = ['accept', 'authorization', 'content-type', 'x-clue-authorization', 'x-userid', 'x-classification'];

// What the plugin received, for answers that repeat it.
function echo(req, url, body) {
  const headers = {};
  for (const h of SEEN) if (req.headers[h] !== undefined) headers[h] = req.headers[h];
  const path = url.pathname.replace(/\/{2,}/g, '/').replace(/(.)\/$/, '$1');
  return { method: req.method, path, query: Object.fromEntries([...url.searchParams].sort()), headers, body: body ?? null };
}
function put(target, path, value) {
  const keys = path.split('.'); let o = target;
  while (keys.length > 1) { const k = keys.shift(); o = o[k] ??= {}; }
  o[keys[0]] = value;
}
function send(req, res, a) {
  if (a.drop) { req.socket.destroy(); return; }
  const isText = a.text !== undefined;
  const data = Buffer.from(isText ? a.text : JSON.stringify(a.json));
  res.writeHead(a.status ?? 200, { 'Content-Type': a.type ?? (isText ? 'text/html' : 'application/json'), 'Content-Length': data.length, ...a.headers });
  res.end(data);
}
// The items of one looked-up value.
function entry(rule, seen) {
  const items = structuredClone(rule.items ?? []);
  if (rule.echo) (items[0] ??= { annotations: [] }).raw_data = seen;
  return { items, ...(rule.error ? { error: rule.error } : {}), ...rule.entry };
}

async function handle(p, req, res, body) {
  const url = new URL(req.url.replace(/^\/+/, '/'), 'http://plugin');
  const seen = echo(req, url, body);
  const path = seen.path;
  for (const r of p.routes) {
    if (r.method !== req.method || r.path.replace(/(.)\/$/, '$1') !== path || (r.match && !fits(r.match, body))) continue;
    const a = structuredClone(r.answer);
    if (a.delay_ms) await sleep(a.delay_ms);
    if (a.echo) put(a.json, a.echo, a.echo_text ? JSON.stringify(seen) : seen);
    return send(req, res, a);
  }
  const rule = (type, value) => p.lookup[type]?.[value] ?? p.lookup[type]?.['*'];
  const parts = path.split('/').slice(1);
  if (req.method === 'GET' && parts[0] === 'lookup' && parts.length >= 3) {
    const r = rule(parts[1], unquote(unquote(unquote(parts.slice(2).join('/')))));
    if (!r) return send(req, res, { status: 404, json: envelope([], '', 404) });
    if (r.delay_ms) await sleep(r.delay_ms);
    if (r.whole) return send(req, res, r.whole);
    if (r.error) return send(req, res, { status: r.status ?? 400, json: envelope(null, r.error, r.status ?? 400) });
    return send(req, res, { json: envelope(r.single ?? entry(r, seen).items) });
  }
  if (req.method === 'POST' && path === '/lookup') {
    const out = {}; let wait = 0, whole = null;
    for (const s of Array.isArray(body) ? body : []) {
      const r = rule(s.type, s.value);
      out[s.type] ??= {};
      out[s.type][s.value] = r ? entry(r, seen) : { items: [] };
      if (r?.omit) delete out[s.type][s.value];
      if (r?.whole) whole = r.whole;
      wait = Math.max(wait, r?.delay_ms ?? 0);
      for (const [t, values] of Object.entries(r?.also ?? {})) out[t] = { ...out[t], ...values };
    }
    if (wait) await sleep(wait);
    return send(req, res, whole ?? { json: envelope(out) });
  }
  if (req.method === 'GET' && path.startsWith('/healthz/')) return send(req, res, { text: 'OK' });
  send(req, res, { status: 404, json: envelope(null, `no such route: ${req.method} ${path}`, 404) });
}

const ports = {};
for (const p of plugins.values()) {
  const server = http.createServer((req, res) => {
    const chunks = [];
    req.on('data', (c) => chunks.push(c));
    req.on('end', () => {
      let body = null;
      const text = Buffer.concat(chunks).toString('utf8');
      try { body = text ? JSON.parse(text) : null; } catch { body = text; }
      handle(p, req, res, body).catch((e) => { console.error(p.name, e); send(req, res, { status: 500, json: envelope(null, String(e), 500) }); });
    });
  }).listen(freePorts ? 0 : p.port, host, () => {
    ports[p.port] = server.address().port;
    if (!freePorts) console.log(`${p.name} on ${host}:${p.port}`);
    else if (Object.keys(ports).length === plugins.size) console.log(JSON.stringify(ports));
  });
}
