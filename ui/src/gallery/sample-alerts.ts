/** Rows like those of the list of alerts, made from their number: 100,000 of them need no memory. */
export interface SampleAlert {
  readonly id: string;
  readonly time: string;
  readonly severity: number;
  readonly analytic: string;
  readonly outline: string;
  readonly status: string;
  readonly escalation: string;
  readonly user: string;
  readonly labels: readonly string[];
}

const ANALYTICS = ['Impossible Travel', 'Encoded PowerShell', 'Beaconing', 'Log4Shell Attempt', 'Password Spraying'];
const STATUSES = ['open', 'in-progress', 'on-hold', 'resolved'];
const ESCALATIONS = ['hit', 'alert', 'evidence', 'miss'];
const OUTLINES = [
  '185.220.101.47 → portal.corp.example: invоice\u202efdp.exe opened by mallory',
  'powershell.exe -nop -w hidden -enc SQBFAFgAIAAoAE4AZQB3AC0ATwBiAGoAZQBjAHQA on WKS-0412',
  'hxxps://updates.exаmple.net/a.php beacons every 60 s from 10.20.30.40',
  '<img src=x onerror=alert(1)> in the user agent of 203.0.113.7',
];
const START = Date.UTC(2026, 9, 30, 4, 39, 16);

export function sampleAlert(index: number): SampleAlert {
  const pick = <T>(list: readonly T[], step: number): T => list[Math.floor(index / step) % list.length] as T;
  return {
    id: `alert-${index}`,
    time: new Date(START - index * 61_000).toISOString(),
    severity: (index * 37) % 101,
    analytic: pick(ANALYTICS, 1),
    outline: pick(OUTLINES, 1),
    status: pick(STATUSES, 3),
    escalation: pick(ESCALATIONS, 2),
    user: index % 3 === 0 ? 'unassigned' : pick(['marie.tremblay', 'jean-paul.roy', 'admin'], 5),
    labels: index % 4 === 0 ? ['phishing', 'vip', 'campaign-42'] : [],
  };
}
