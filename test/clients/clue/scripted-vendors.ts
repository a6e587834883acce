import type { Script } from '../../../src/testing/servers/scripted-server.ts';

/** SHA-256 of a file that VirusTotal and MalwareBazaar know, in these scripts. */
export const BAD_FILE = 'ab'.repeat(32);
/** SHA-256 of a file that neither knows. */
export const UNKNOWN_FILE = 'cd'.repeat(32);
/** SHA-256 of a file for which the servers answer with a failure. */
export const FAILING_FILE = 'ef'.repeat(32);

/** Answers as `/files/<hash>` and `/ip_addresses/<address>` of https://docs.virustotal.com/reference. */
export const virusTotal: Script = ({ url, headers }) => {
  if (headers['x-apikey'] !== 'vt-key') return { status: 401, body: { error: { code: 'WrongCredentialsError' } } };
  if (url.endsWith(FAILING_FILE)) return { status: 500, body: 'down' };
  const engine = (engine_name: string, category: string) => ({
    engine_name,
    category,
    result: 'x',
    method: 'blacklist',
  });
  const results = {
    One: engine('One', 'malicious'),
    Two: engine('Two', 'malicious'),
    Three: engine('Three', 'harmless'),
  };
  if (url.endsWith(`/files/${BAD_FILE}`)) {
    const attributes = { last_analysis_results: results, last_analysis_stats: { malicious: 2, suspicious: 0 } };
    return { body: { data: { id: BAD_FILE, type: 'file', attributes } } };
  }
  if (url.endsWith('/ip_addresses/192.0.2.7')) {
    const owner = { as_owner: 'Example Networks', country: 'CA', continent: 'NA' };
    const clean = {
      last_analysis_results: { Three: results.Three },
      last_analysis_stats: { malicious: 0, suspicious: 0 },
    };
    return { body: { data: { id: '192.0.2.7', type: 'ip_address', attributes: { ...owner, ...clean } } } };
  }
  return { status: 404, body: { error: { code: 'NotFoundError' } } };
};

/** Answers as `get_info` of https://bazaar.abuse.ch/api/. */
export const malwareBazaar: Script = ({ body }) => {
  const value = new URLSearchParams(body).get('hash');
  if (value === FAILING_FILE) return { body: { query_status: 'illegal_hash' } };
  if (value !== BAD_FILE) return { body: { query_status: 'hash_not_found' } };
  const vendor_intel = { Sandbox: { verdict: 'Malicious activity' }, Cloud: [{ status: 'suspicious' }] };
  return { body: { query_status: 'ok', data: [{ sha256_hash: value, signature: 'Emotet', vendor_intel }] } };
};

/** Answers as `https://crt.sh/json?cn=<domain>`. */
export const certificateSearch: Script = ({ url }) => {
  const name = new URL(url, 'http://crt').searchParams.get('cn');
  if (name === 'down.example.org') return { status: 503, body: 'down' };
  if (name !== 'www.example.org') return { body: [] };
  const times = { not_before: '2026-01-01T00:00:00', not_after: '2027-01-01T00:00:00' };
  const certificate = {
    issuer_name: 'C=CA',
    name_value: 'example.org\nwww.example.org',
    serial_number: '0abc',
    ...times,
  };
  return { body: [{ ...certificate, entry_timestamp: '2026-01-02T03:04:05.678' }] };
};
