/** Servers that tests may want and that no package brings along: test/servers starts them. */
const OUTSIDE_SERVERS = {
  opensearch: { name: 'OPENSEARCH', url: 'http://127.0.0.1:9200', script: 'opensearch.sh' },
  /** The oldest with index lifecycle management that starts from a package; for that alone. */
  elasticsearch6: { name: 'ELASTICSEARCH6', url: 'http://127.0.0.1:9206', script: 'elasticsearch6.sh' },
  elasticsearch8: { name: 'ELASTICSEARCH8', url: 'http://127.0.0.1:9208', script: 'elasticsearch8.sh' },
  elasticsearch9: { name: 'ELASTICSEARCH9', url: 'http://127.0.0.1:9209', script: 'elasticsearch9.sh' },
  redis: { name: 'REDIS', url: 'redis://127.0.0.1:6390', script: 'redis.sh' },
  s3: { name: 'S3', url: 'http://127.0.0.1:8333', script: 's3.sh' },
  /** Tests start one of their own: they stop it on the way. */
  keycloak: { name: 'KEYCLOAK', url: 'http://127.0.0.1:8081', script: 'keycloak.sh' },
  chromium: { name: 'CHROMIUM', url: 'http://127.0.0.1:9222', script: 'chromium.sh' },
} as const;

export type OutsideServerName = keyof typeof OUTSIDE_SERVERS;

export interface OutsideServer {
  readonly url: string;
  /**
   * Why it cannot be used: tests register one skipped test with this.
   * Undefined: it is there, or has to be.
   */
  readonly unavailable: string | undefined;
}

/**
 * Returns the address of an external server:
 * TEST_<NAME>_URL, or its default port with REQUIRE_<NAME>=1.
 * Otherwise the server counts as missing, so that no test uses a server that happens to run on the machine.
 */
export function outsideServer(
  server: OutsideServerName,
  environment: Readonly<Record<string, string | undefined>> = process.env,
): OutsideServer {
  const { name, url, script } = OUTSIDE_SERVERS[server];
  const given = environment[`TEST_${name}_URL`];
  const required = environment[`REQUIRE_${name}`] === '1';
  const unavailable =
    given !== undefined || required
      ? undefined
      : `test/servers/${script} starts one; then set REQUIRE_${name}=1 (or TEST_${name}_URL)`;
  return { url: given ?? url, unavailable };
}
