export interface ExampleCommand {
  readonly name: string;
  readonly command: string;
}

const ALERT = { analytic: 'My first analytic', severity: 40 };

/**
 * Returns commands that send an alert to this installation.
 * @param secret API key with its name; default: the word KEY in its place
 */
export function exampleCommands(address: string, username: string, secret = 'KEY'): ExampleCommand[] {
  const hit = JSON.stringify([{ howler: { analytic: ALERT.analytic }, event: { severity: ALERT.severity } }]);
  return [
    {
      name: 'curl',
      command: `curl -u '${username}:${secret}' -H 'Content-Type: application/json' -d '${hit}' ${address}/api/v1/hit/`,
    },
    {
      name: 'howler-client',
      command: [
        'from howler_client import get_client',
        `client = get_client('${address}', apikey=('${username}', '${secret}'))`,
        `client.hit.create({'howler.analytic': '${ALERT.analytic}', 'event.severity': ${ALERT.severity}})`,
      ].join('\n'),
    },
    {
      name: 'Python',
      command: [
        'import requests',
        `requests.post('${address}/api/v1/hit/', auth=('${username}', '${secret}'),`,
        `              json=[{'howler': {'analytic': '${ALERT.analytic}'}, 'event': {'severity': ${ALERT.severity}}}])`,
      ].join('\n'),
    },
  ];
}
