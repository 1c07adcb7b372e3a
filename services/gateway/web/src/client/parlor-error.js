// @ts-check

/** A failure with the server's stable reason. */
export class ParlorError extends Error {
  /** @param {import('./protocol').Failure} failure */
  constructor(failure) {
    super(failure.message ?? failure.reason ?? 'failed');
    this.name = 'ParlorError';
    /** Says what to do: one of nine. */
    this.code = failure.code ?? 'internal';
    /** Says what it is; stable, such as "BLACKJACK_NOT_YOUR_TURN". */
    this.reason = failure.reason ?? 'INTERNAL';
    /** The same request may succeed later. */
    this.retryable = failure.retryable ?? false;
    /** Numbers that help, such as `retry_after_ms`. */
    this.metadata = failure.metadata ?? {};
  }
}
