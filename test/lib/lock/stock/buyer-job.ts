/** What a process of buyers is told when it starts: the first argument, as JSON. */
export interface BuyerJob {
  port: number;
  stock: string;
}

export interface Ask {
  id: number;
  verb: 'deduct' | 'giveBack';
  orderId: string;
  quantity: number;
}

/** `quantity`: deducted or given back. `code` and `message`: the error's. */
export interface Answer {
  id: number;
  quantity?: number;
  isRepeat?: boolean;
  code?: string;
  message?: string;
  /** What the stock had left, by an OUT_OF_STOCK. */
  remaining?: number;
}
