import { isCodedError } from '@/lib/protocol/errors';
import { createSerial } from '@/server/store/serial';
import type { Store } from '@/server/store/store-contract';
import { isPending, recordsOf, rowOf, type NoticeRecord } from './notice-record';

/** Beyond this what waits is read at a later start: it only guards the process. */
const PENDING = 50_000;
/** Notices that may wait for the database, about 2 kB each. */
const MOST_UNWRITTEN = 15_000;
/** As many are made ready while the event loop does nothing else. */
const WRITTEN_AT_ONCE = 500;

type NoticeStore = Pick<
  Store,
  'addNotices' | 'saveNotices' | 'removeNotices' | 'dueNotices' | 'noticesOfAlerts'
>;

export interface LedgerOptions {
  store: NoticeStore;
  target: string;
  /** Is told when those came about that the database will never have. */
  gaveUp: (times: readonly number[]) => void;
  most?: number;
}

/**
 * All notices that matter now: what waits, and who was told of alerts that are open. What changes is written
 * before the call resolves; while the database is out of reach it waits here, so that somebody can be told of that.
 * Beyond a bound those are given up of alerts that came and went meanwhile, the oldest first. What has not been told yet
 * is never given up, nor is how it went with what the database has: the next start would tell it once more.
 */
export class Ledger {
  readonly #store: NoticeStore;
  readonly #target: string;
  readonly #records = new Map<string, NoticeRecord>();
  /** Ids by alert, in the order in which they came about. */
  readonly #ofAlert = new Map<string, string[]>();
  /** By channel. */
  readonly #waiting = new Map<string, number>();
  readonly #unwritten = new Map<string, NoticeRecord | null>();
  /** Ids that the database never had. */
  readonly #fresh = new Set<string>();
  /** Ids of a write that has not succeeded: the database may have them all the same. */
  readonly #tried = new Set<string>();
  /** Alerts that are over and of which all was told, but not all is written; the longest over first. */
  readonly #over = new Set<string>();
  readonly #gaveUp: LedgerOptions['gaveUp'];
  readonly #most: number;
  /** What was put later must not be overtaken by what was put before. */
  readonly #inTurn = createSerial();

  constructor({ store, target, gaveUp, most = MOST_UNWRITTEN }: LedgerOptions) {
    this.#store = store;
    this.#target = target;
    this.#gaveUp = gaveUp;
    this.#most = most;
  }

  /** What waits, oldest first. */
  async load(): Promise<NoticeRecord[]> {
    const due = await recordsOf(await this.#store.dueNotices(PENDING));
    const own = due.filter(({ target }) => target === this.#target);
    await this.learn(own.flatMap(({ alert }) => (alert ? [alert.id] : [])));
    for (const notice of own) this.#keep(notice);
    return own;
  }

  /** Reads what was told of alerts that are not known here. */
  async learn(alerts: readonly string[]): Promise<void> {
    const unknown = [...new Set(alerts)].filter((id) => !this.#ofAlert.has(id));
    if (unknown.length === 0) return;
    try {
      const rows = await this.#store.noticesOfAlerts(unknown);
      for (const notice of await recordsOf(rows)) this.#keep(notice);
    } catch (error) {
      // A broken store knows nothing; what it is about must be told all the same.
      if (!isCodedError(error)) throw error;
      return;
    }
    for (const id of unknown) if (!this.#ofAlert.has(id)) this.#ofAlert.set(id, []);
  }

  get(id: string): NoticeRecord | undefined {
    return this.#records.get(id);
  }

  /** Of one alert, in the order in which they came about. */
  ofAlert(alert: string): NoticeRecord[] {
    return (this.#ofAlert.get(alert) ?? []).flatMap((id) => this.#records.get(id) ?? []);
  }

  pending(): NoticeRecord[] {
    return [...this.#records.values()].filter(isPending);
  }

  /** How many wait for a channel. */
  waitingFor(channel: string): number {
    return this.#waiting.get(channel) ?? 0;
  }

  /** What the database does not have yet. */
  get unwritten(): number {
    return this.#unwritten.size;
  }

  async add(notices: readonly NoticeRecord[]): Promise<void> {
    for (const notice of notices) {
      if (!this.#records.has(notice.id)) this.#fresh.add(notice.id);
      this.#keep(notice);
      this.#unwritten.set(notice.id, notice);
    }
    await this.flush();
  }

  /** Keeps how it went. Written with the next flush where the database is out of reach. */
  async put(notices: readonly NoticeRecord[]): Promise<void> {
    await this.add(notices.filter(({ id }) => this.#records.has(id)));
  }

  async remove(notices: readonly NoticeRecord[]): Promise<void> {
    for (const { id, alert } of notices) {
      this.#drop(id);
      if (this.#isNowhere(id)) this.#forgetWrite(id);
      else this.#unwritten.set(id, null);
      const ids = alert && this.#ofAlert.get(alert.id);
      if (ids)
        this.#ofAlert.set(
          alert.id,
          ids.filter((each) => each !== id),
        );
    }
    await this.flush();
  }

  /** An alert that is over needs no memory once all of it was told: the store has it. */
  forget(alert: string): void {
    const notices = this.ofAlert(alert);
    if (notices.some(isPending)) return;
    if (notices.some(({ id }) => this.#unwritten.has(id))) this.#over.add(alert);
    else this.#dropAlert(alert);
    this.#makeRoom();
  }

  async flush(): Promise<void> {
    await this.#inTurn(() => this.#write());
  }

  async #write(): Promise<void> {
    const all = [...this.#unwritten];
    for (let at = 0; at < all.length; at += WRITTEN_AT_ONCE) {
      if (!(await this.#writeSome(all.slice(at, at + WRITTEN_AT_ONCE)))) return;
    }
    for (const alert of this.#over) this.forget(alert);
  }

  /** False = the database is out of reach. */
  async #writeSome(batch: readonly (readonly [string, NoticeRecord | null])[]): Promise<boolean> {
    const kept = batch.flatMap(([, notice]) => (notice ? [notice] : []));
    const isFresh = ({ id }: NoticeRecord): boolean => this.#fresh.has(id);
    const gone = batch.flatMap(([id, notice]) => (notice ? [] : [id]));
    for (const [id] of batch) this.#tried.add(id);
    try {
      await this.#store.addNotices(kept.filter(isFresh).map(rowOf));
      await this.#store.saveNotices(kept.filter((notice) => !isFresh(notice)).map(rowOf));
      await this.#store.removeNotices(gone);
    } catch (error) {
      // Its health says so; all of it stays here until it can be written.
      if (!isCodedError(error)) throw error;
      return false;
    }
    for (const [id, notice] of batch) {
      this.#fresh.delete(id);
      this.#tried.delete(id);
      if (this.#unwritten.get(id) === notice) this.#unwritten.delete(id);
    }
    return true;
  }

  #keep(notice: NoticeRecord): void {
    this.#drop(notice.id);
    this.#records.set(notice.id, notice);
    if (isPending(notice)) this.#count(notice.channel, 1);
    if (!notice.alert) return;
    // One that comes back is told anew, of which the last it was told must be known.
    this.#over.delete(notice.alert.id);
    const ids = this.#ofAlert.get(notice.alert.id) ?? [];
    if (!ids.includes(notice.id)) this.#ofAlert.set(notice.alert.id, [...ids, notice.id]);
  }

  #makeRoom(): void {
    if (this.#unwritten.size <= this.#most) return;
    // Some at a time, so that all are not looked through for each that comes.
    const leave = this.#most - Math.floor(this.#most / 10);
    const times: number[] = [];
    for (const alert of this.#over) {
      if (this.#unwritten.size <= leave) break;
      const notices = this.ofAlert(alert);
      if (!notices.every(({ id }) => this.#isNowhere(id))) continue;
      for (const { id, at } of notices) {
        times.push(at);
        this.#forgetWrite(id);
      }
      this.#dropAlert(alert);
    }
    if (times.length > 0) this.#gaveUp(times);
  }

  /** The database neither has it nor may have it. */
  #isNowhere(id: string): boolean {
    return this.#fresh.has(id) && !this.#tried.has(id);
  }

  #forgetWrite(id: string): void {
    this.#unwritten.delete(id);
    this.#fresh.delete(id);
  }

  #dropAlert(alert: string): void {
    for (const { id } of this.ofAlert(alert)) this.#drop(id);
    this.#ofAlert.delete(alert);
    this.#over.delete(alert);
  }

  #drop(id: string): void {
    const known = this.#records.get(id);
    if (!known) return;
    this.#records.delete(id);
    if (isPending(known)) this.#count(known.channel, -1);
  }

  #count(channel: string, change: number): void {
    this.#waiting.set(channel, this.waitingFor(channel) + change);
  }
}
