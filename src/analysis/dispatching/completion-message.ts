/** Queue of submissions whose analysis ended; items are `Completion`, at least once each. */
export const COMPLETED_QUEUE = 'analysis:completed';

export interface Completion {
  readonly sid: string;
  readonly submitter: string;
  /** It holds a slot of the submitter's quota of concurrent submissions. */
  readonly quota_item: boolean;
  readonly scan_key?: string;
  /** It was deleted while it ran: its document may be gone. */
  readonly cancelled?: true;
  /** Score that counts what not every reader of the submission may see. Default: its score. */
  readonly full_score?: number;
}
