/** A waiter counts as alive this long after its client was last heard of, and is heard of every {@link BEAT_MS}. */
export const ALIVE_MS = 1500;
export const BEAT_MS = 500;
/**
 * Lease of a lock that was handed to a waiter, until its client says that it is there. A process may freeze and
 * be killed within the {@link ALIVE_MS} that it counts as alive: handed a minute, it would block all others for one.
 */
export const GRANT_MS = 1500;
/** A queue that nobody visits any more is no lock's queue: its waiters are dead. */
const QUEUE_MS = 600_000;
/** A fencing counter may go after a day: its successor starts at the clock, which is higher. */
const FENCE_MS = 86_400_000;
/** About so many of the newest reports stay in a stream. */
export const REPORTS_KEPT = 10_000;

/**
 * One script serves a batch of operations, each wrapped so that one that fails leaves the others alone.
 *
 * KEYS: the lock of each operation, then the report stream unless reports are off. The names around a lock are
 * made here: they share its slot, and text that need not be sent twice costs neither side anything.
 * ARGV: mode of reports (`0` off, `1` contended, `2` all), `1` in a cluster else `0`, the client's instance; then
 * two for each operation: code and task (`w17`), lease in ms and after a space the extra (`60000 serial 7`).
 * Returns two values for each operation: status, value.
 *
 * | code | operation | extra | answers |
 * |---|---|---|---|
 * | `t` `T` | try, fair or barging | business id | 1 fence · 0 `<pttl> <clock in µs> <holder>` |
 * | `w` `W` | the same, joining the queue | | 1 fence · 0 `<pttl> <clock in µs> <holder>` |
 * | `b` | beat of a waiter; it joins again where it was dropped | as `t` | 1 fence · 0 `<pttl> <clock in µs> <holder>` |
 * | `e` | enter again or step back: sets the depth | depth | 1 · 0 not held |
 * | `n` | renew | | 1 · 0 not held |
 * | `r` `R` | release and hand on, or `R`: leave it to whoever comes | report: `<waitedMs> <heldMs> <fence> <businessId>` or nothing | 1 · 0 not held |
 * | `l` | leave the queue, giving back what was granted meanwhile | report: `<event> <waitedMs> <holder> <businessId>` | 1 |
 * | `f` | raise the fencing counter to what another node of a Redlock gave | fence | 1 |
 * | `x` | report only | JSON: `[event, field, value, …]` | 1 |
 *
 * An operation that raised an error has status -1 and the error's text. An operation may reach Redis twice
 * (ioredis sends again what a cut connection left unanswered): depths are absolute, so that it counts once.
 *
 * The fencing token is the clock in µs, or one more than the last where the clock is not ahead of it: it rises
 * also over a flush, a failover that lost writes and a counter that expired.
 */
const HEAD = `
local call = redis.call
local mode, clustered, instance = ARGV[1], ARGV[2] == '1', ARGV[3]
local count, done, answers = (#ARGV - 3) / 2, 0, {}
local micros, now

local function look_at_the_clock()
  if micros then return end
  local time = call('TIME')
  micros = time[1] * 1000000 + time[2]
  now = time[1] * 1000 + math.floor(time[2] / 1000)
end

-- Redisson's names around a key: in braces, unless it has one.
local function tag_of(key) return string.find(key, '{', 1, true) and key or '{' .. key .. '}' end

local function next_fence(tag)
  look_at_the_clock()
  local key = 'redisson_lock_token:' .. tag
  local last = call('GET', key)
  if not last then
    call('SET', key, micros, 'PX', ${FENCE_MS})
    return micros
  end
  local before = tonumber(last)
  -- No counter of anybody's: beyond 2^53 a number has no next one.
  if not before or before < 0 or before >= 9007199254740991 then
    call('SET', key, micros, 'PX', ${FENCE_MS})
    return micros
  end
  local token = before < micros and micros or before + 1
  call('INCRBY', key, token - before)
  return token
end
`;

/**
 * What every kind of lock does the same way. The functions come to be only where an operation needs them:
 * making them costs a lone script as much as taking a lock does.
 * `kind` defines `channel()`, `prepare()` before each operation, `holds(owner)`, `room(owner)`,
 * `may_pass(owner)` whoever waits, `take(owner, lease, business)` → fence, `my_fence()`, `deepen(depth)`,
 * `give_back(owner)`, `renew()` → whether held, `state()` → pttl, holder, `announce()`.
 * `quick` is Lua that may answer operations from the first on, and counts them in `done`.
 */
export const scriptFrom = (quick: string, kind: string): string => `${HEAD}${quick}
look_at_the_clock()
local stream = mode ~= '0' and KEYS[#KEYS]
local lock, tag, me, ttl, extra

local function digits(n) return string.format('%.0f', n) end

local function around(prefix) return prefix .. tag end

local function queue() return around('redisson_lock_queue:') end

local function timeouts() return around('redisson_lock_timeout:') end

-- What each waiter wants when its turn comes: lease, since when it waits, business id.
local function wishes() return around('lockscope:wishes:') end

-- What names and counts of another kind of lock would be mistaken for.
local function refuse_other_kind()
  error({ err = 'WRONGTYPE Another kind of lock is held under this name' })
end

local function fence() return tonumber(call('GET', around('redisson_lock_token:')) or 0) or 0 end
${kind}
-- One that cannot be written costs the console a figure, never the caller a lock.
local function report(owner, event, ...)
  if not stream then return end
  redis.pcall('XADD', stream, 'MAXLEN', '~', ${REPORTS_KEPT}, '*', 'key', lock, 'owner', owner, 'event', event, ...)
end

local function is_ours(owner) return string.byte(owner, 15) == 56 end

local function tell(owner, word, rest)
  local text = word .. ' ' .. string.sub(owner, 38) .. rest
  return call('PUBLISH', 'lockscope:inbox:' .. string.sub(owner, 1, 36), text)
end

local function dequeue(owner)
  local stood = call('ZREM', timeouts(), owner) == 1
  if stood then
    call('LREM', queue(), 1, owner)
    call('HDEL', wishes(), owner)
  end
  return stood
end

local function listens(owner)
  return call('PUBSUB', 'NUMSUB', 'lockscope:inbox:' .. string.sub(owner, 1, 36))[2] > 0
end

-- Redisson's fair lock takes five minutes off every waiter's score when it acquires: that is no silence.
local function is_alive(owner)
  local score = tonumber(call('ZSCORE', timeouts(), owner) or 0)
  if score > now then return true end
  return score > 0 and score < now - 250000 and is_ours(owner) and not clustered and listens(owner)
end

local function head()
  while true do
    local first = call('LINDEX', queue(), 0)
    if not first then return nil end
    if is_alive(first) then return first end
    call('LPOP', queue())
    call('ZREM', timeouts(), first)
    call('HDEL', wishes(), first)
  end
end

local function keep_queue()
  call('PEXPIRE', queue(), ${QUEUE_MS})
  call('PEXPIRE', timeouts(), ${QUEUE_MS})
  call('PEXPIRE', wishes(), ${QUEUE_MS})
end

-- Behind a Redisson waiter the score follows its rule, five minutes for each place, since each acquire of theirs
-- takes as much off everybody's.
local function alive_until()
  local last = call('LINDEX', queue(), -1)
  local score = last and last ~= me and tonumber(call('ZSCORE', timeouts(), last) or 0) or 0
  if last and not is_ours(last) then score = score + 300000 end
  return math.max(now + ${ALIVE_MS}, score > now + 200000 and score or 0)
end

local function join()
  local is_new = call('ZADD', timeouts(), 'GT', digits(alive_until()), me) == 1
  if not is_new then return false end
  local first = call('HSETNX', wishes(), me, ttl .. ' ' .. digits(now) .. ' ' .. extra) == 1
  -- Whose wish is still there was dropped by a client that knows of none: its place is in front.
  if call(first and 'RPUSH' or 'LPUSH', queue(), me) == 1 then keep_queue() end
  return first
end

-- Somebody listens who stands in no queue: a Redisson client that waits for a plain lock.
local function foreign_waiters()
  local answer = redis.pcall('PUBSUB', 'NUMSUB', channel())
  return not answer.err and answer[2] > 0
end

-- Returns how many heard it.
local function wake(owner)
  if is_ours(owner) then return tell(owner, 'try', ' ' .. lock) end
  return call('PUBLISH', channel() .. ':' .. owner, '0')
end

local function granted(owner, token, waited, business_id)
  report(owner, 'granted', 'waitedMs', digits(waited), 'fence', digits(token), 'businessId', business_id)
end

-- A waiter whose client does not listen is dead or cut off; cut off, it joins again when it is back.
local function grant(owner)
  local wish = call('HGET', wishes(), owner) or ''
  local lease, asked, business_id = string.match(wish, '^(%d+) (%d+) (.*)$')
  dequeue(owner)
  if not lease then return end
  local token = take(owner, math.min(lease, ${GRANT_MS}), business_id)
  local heard = tell(owner, 'granted', ' ' .. digits(token) .. ' ' .. lock)
  if heard == 0 and not clustered then give_back(owner)
  else granted(owner, token, now - asked, business_id) end
end

local function hand_on(open)
  local first = head()
  if first and not open then open = foreign_waiters() end
  while first and room(first) do
    if open or not is_ours(first) then
      if wake(first) > 0 or clustered then
        announce()
        return
      end
      dequeue(first)
    else
      grant(first)
    end
    first = head()
  end
  if not first then announce() end
end

local function waiting()
  local left, holder = state()
  return 0, left .. ' ' .. digits(micros) .. ' ' .. holder
end

-- Asked for again by who has it: sent twice, handed over, or taken in part by an operation that failed.
local function confirm()
  local token = my_fence()
  renew()
  return 1, token
end

local function is_my_turn(barges)
  local first = not barges and not may_pass(me) and head()
  return not first or first == me
end

local function acquire(joins, barges)
  if holds(me) then return confirm() end
  if room(me) then
    local is_mine = is_my_turn(barges)
    if not is_mine then
      hand_on(false)
      -- Whoever stood there may be gone.
      is_mine = room(me) and is_my_turn(barges)
    end
    if is_mine then
      local token = take(me, ttl, extra)
      local _, asked = string.match(call('HGET', wishes(), me) or '', '^(%d+) (%d+)')
      dequeue(me)
      if asked or mode == '2' then granted(me, token, now - (asked or now), extra) end
      return 1, token
    end
  end
  if not joins then return waiting() end
  if join() then
    local _, holder = state()
    report(me, 'waiting', 'holder', holder, 'businessId', extra)
  end
  return waiting()
end

local function beat()
  if holds(me) then return confirm() end
  join()
  local first = head()
  if not first then
    call('RPUSH', queue(), me)
    first = me
  end
  if first == me then keep_queue() end
  if room(first) then
    if first == me then return acquire(true, false) end
    hand_on(false)
  end
  return waiting()
end

local function leave()
  local waited, _ = dequeue(me)
  if holds(me) then give_back(me) end
  local first = head()
  if first and room(first) then hand_on(false) end
  if waited then
    local event, waited_ms, holder, business_id = string.match(extra, '^(%S+) (%S+) (%S*) (.*)$')
    -- Left before it was told that it waits, and for whom.
    if holder == '' then _, holder = state() end
    report(me, event, 'waitedMs', waited_ms, 'holder', holder, 'businessId', business_id)
  end
  return 1, 0
end

local function enter_again()
  if not holds(me) then return 0, 0 end
  deepen(extra)
  return 1, 0
end

local function release(open)
  if not holds(me) then return 0, 0 end
  give_back(me)
  hand_on(open)
  local waited, held, token, business_id = string.match(extra, '^(%S+) (%S+) (%S+) (.*)$')
  if waited then
    report(me, 'released', 'waitedMs', waited, 'heldMs', held, 'fence', token, 'businessId', business_id)
  end
  return 1, 0
end

local function raise_fence()
  if fence() < tonumber(extra) then
    call('SET', around('redisson_lock_token:'), extra, 'PX', ${FENCE_MS})
  end
  return 1, 0
end

local function only_report()
  report(me, unpack(cjson.decode(extra)))
  return 1, 0
end

local codes = {
  t = function() return acquire(false, false) end,
  T = function() return acquire(false, true) end,
  w = function() return acquire(true, false) end,
  W = function() return acquire(true, true) end,
  r = function() return release(false) end,
  R = function() return release(true) end,
  b = beat, e = enter_again, f = raise_fence, l = leave, x = only_report,
  n = function() return renew() and 1 or 0, 0 end,
}

local function operate(code)
  prepare()
  return codes[code]()
end

for i = done + 1, count do
  local word, rest = ARGV[i * 2 + 2], ARGV[i * 2 + 3]
  local space = string.find(rest, ' ', 1, true)
  lock, me = KEYS[i], instance .. ':' .. string.sub(word, 2)
  tag = tag_of(lock)
  if space then ttl, extra = string.sub(rest, 1, space - 1), string.sub(rest, space + 1)
  else ttl, extra = rest, '' end
  local ok, status, value = pcall(operate, string.sub(word, 1, 1))
  if not ok then status, value = -1, type(status) == 'table' and status.err or tostring(status) end
  answers[i * 2 - 1], answers[i * 2] = status, value
end
return answers
`;
