import { ownClient } from '@/server/demo/own-client';
import { forever, type Service, type ServiceContext } from '@/server/demo/service';

const ROWS = 24;
const TASKS = 4;
const GIVES_UP_AFTER_MS = 700;
/** The rows that everybody wants move on, so that the heat moves too. */
const WANTED_FOR_MS = 25_000;

const rowOf = (at: number, offset: number): string =>
  `seat:concert-7:row-${((Math.floor(at / WANTED_FOR_MS) * 5 + offset) % ROWS) + 1}`;

/** A few rows are wanted by most, all by some. */
const pickRow = ({ random }: ServiceContext): string =>
  rowOf(Date.now(), Math.floor(ROWS * random.next() ** 4));

/**
 * Seats of a concert under our own client: hot and cold rows, buyers who give up, and an audit that holds a row that
 * everybody wants for seconds: what it costs the others is written beside its name. Each is one task for as long as it runs, and so one owner.
 */
export const seats: Service = async (context) => {
  const shops = ['box-office', 'web-shop', 'mobile-app'].map((app) => ownClient(context, app));
  const audit = ownClient(context, 'seat-audit');
  const sell = async (shop: (typeof shops)[number]): Promise<never> =>
    await forever(context, [20, 160], async () => {
      const businessId = `TKT-${context.random.between(10_000, 99_999)}`;
      const wish = { businessId, waitMs: GIVES_UP_AFTER_MS };
      const seat = await shop.acquire(pickRow(context), wish).catch(() => null);
      await context.pause(context.random.between(15, 90));
      await seat?.release();
    });
  const inspect = async (): Promise<never> =>
    await forever(context, [4000, 9000], async () => {
      const businessId = `AUDIT-${context.random.between(100, 999)}`;
      await audit.using(rowOf(Date.now(), 0), { businessId }, async () => {
        await context.pause(context.random.between(2000, 4000));
      });
    });
  const selling = shops.flatMap((shop) =>
    Array.from({ length: TASKS }, () => shop.task(() => sell(shop))),
  );
  await Promise.all([...selling, audit.task(inspect)]);
};
