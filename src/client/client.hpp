// A licence client for desktop applications: sign in, activate, check online and offline, look for updates.
//
// One header to copy, for C++17. It needs OpenSSL 3 (link with -lcrypto), and your application gives it a `send`, with
// the HTTPS library that it has anyway: see docs/clients/cpp.md.
#pragma once

#include <openssl/evp.h>
#include <openssl/rand.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace licence {

/// Any JSON value. Numbers that are not whole, or not exact, are kept as `other`.
struct Json {
  enum Kind { null, boolean, whole, other, text, list, object };
  Kind kind = null;
  bool yes = false;
  std::int64_t number = 0;
  std::string string;
  std::vector<Json> items;
  std::map<std::string, Json> members;

  /// A member's value; null if there is none.
  const Json& operator[](const std::string& name) const {
    static const Json nothing;
    const auto found = members.find(name);
    return found == members.end() ? nothing : found->second;
  }
  bool has(const std::string& name) const { return members.count(name) > 0; }
  bool is_text() const { return kind == text; }
  std::optional<std::string> maybe_text() const { return is_text() ? std::optional(string) : std::nullopt; }

  Json() = default;
  Json(std::string value) : kind(text), string(std::move(value)) {}
  Json(const char* value) : kind(text), string(value) {}
  Json(std::int64_t value) : kind(whole), number(value) {}
  static Json of(std::map<std::string, Json> members) {
    Json made;
    made.kind = object;
    made.members = std::move(members);
    return made;
  }
};

/// A public key as the shop's `keys` call returns it (JWK, RFC 8037).
struct PublicKey {
  std::string kty, crv, x, kid;
};

/// What `check_token` says. `verdict` is "valid", "grace" or "refused"; `reason` is empty, or the first that holds of:
/// malformed, algorithm, unknown_key, signature, audience, issuer, device, not_yet_valid, clock, ended.
struct Check {
  std::string verdict, reason;
};

/// Whether the application may run.
struct Verdict {
  /// VALID; or a refusal of the shop (NO_LICENSE, EXPIRED, DISPUTED, REVOKED, NOT_ACTIVATED, HWID_MISMATCH,
  /// UPDATE_REQUIRED), with its sentence in `message`; or UNVERIFIED, which means that there is no verdict of the shop and
  /// no valid stored token: `why` is a reason of `check_token`, or "no_token". It never means "not licensed".
  std::string code;
  /// False if the shop could not be reached, so the client used the stored token.
  bool online = false;
  /// True if the token has expired and only its grace period is left: ask the customer to go online.
  bool grace = false;
  std::string type;
  /// The id of the level that this computer has.
  std::string level;
  /// Those that this computer has now, sorted.
  std::vector<std::string> features;
  /// Unix seconds; none for a lifetime.
  std::optional<std::int64_t> expires_at;
  /// Unix seconds; after this the application must reach the shop.
  std::int64_t offline_until = 0;
  std::string message;
  /// With HWID_MISMATCH: when the owner can move to another device, in Unix seconds.
  std::optional<std::int64_t> available_at;
  /// With UPDATE_REQUIRED.
  std::optional<std::string> minimum_version;
  std::string why;
  /// The shop no longer accepts this computer's sign-in: ask the customer to sign in again.
  bool sign_in = false;
  /// Who answered found the question wrong, such as "400 invalid_field hwid"; empty if the network was at fault.
  std::string fault;
};

/// What to show while the customer signs in: open `verification_uri_complete`, or show the other two.
struct SignInCode {
  std::string user_code, verification_uri, verification_uri_complete;
  std::int64_t expires_at;
};

struct Me {
  std::string username;
  std::optional<std::string> offer, type;
  /// Unix seconds; none for a lifetime.
  std::optional<std::int64_t> expires_at;
  /// How many of the account's places for computers are taken.
  std::int64_t used, places;
  /// The level's id and name.
  std::optional<std::string> level, level_name;
  std::vector<std::string> features;
};

struct File {
  std::string platform, name, url;
  std::int64_t size;
  std::string sha512, signature;
};

struct Update {
  std::string version, title, content;
  bool newer, required;
  std::vector<File> files;
};

struct Request {
  std::string method, url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};
struct Response {
  int status;
  std::string body;
};

/// Sends a request and returns the answer; none if the shop can't be reached within ten seconds. It verifies the
/// server's certificate and follows no redirects, or another server gets the customer's token.
using Send = std::function<std::optional<Response>(const Request&)>;

/// Where the client keeps what it knows between starts: a file, the registry, a keychain. Both calls may throw.
struct Keeper {
  std::function<std::string()> read;
  std::function<void(const std::string&)> write;
};

namespace detail {

/// Tries again for a moment: on Windows a file can't be used while another instance replaces it.
template <typename Act>
void retried(const Act& act) {
  for (int left = 5;; --left) {
    try {
      return act();
    } catch (const std::exception&) {
      if (left == 0) throw;
      std::this_thread::sleep_for(std::chrono::milliseconds(10));
    }
  }
}

}  // namespace detail

/// Keeps it in a file that only this user can read, and that several instances of the application may share.
inline Keeper file_keeper(const std::filesystem::path& path) {
  const auto read = [path] {
    std::string text;
    const auto open = [&] {
      std::ifstream file(path, std::ios::binary);
      if (!file) throw std::runtime_error("cannot read " + path.string());
      text.assign(std::istreambuf_iterator<char>(file), {});
    };
    try {
      detail::retried(open);
    } catch (const std::exception&) {
      if (std::filesystem::exists(path)) throw;
    }
    return text;
  };
  const auto write = [path](const std::string& text) {
    using std::filesystem::perms;
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
    std::uint64_t id = 0;
    if (RAND_bytes((unsigned char*)&id, sizeof id) != 1) throw std::runtime_error("no random bytes");
    auto own = path;
    // a name of its own, or two instances would write into one file
    own += "." + std::to_string(id);
    try {
      std::ofstream file(own, std::ios::binary);
      std::filesystem::permissions(own, perms::owner_read | perms::owner_write);
      if (!(file << text).flush()) throw std::runtime_error("cannot write " + own.string());
      file.close();
      detail::retried([&] { std::filesystem::rename(own, path); });
    } catch (const std::exception&) {
      std::error_code ignored;
      std::filesystem::remove(own, ignored);
      throw;
    }
  };
  return {read, write};
}

struct Options {
  /// The shop's URL, such as `https://shop.example`.
  std::string shop;
  /// Anything that identifies this machine and doesn't change. The shop stores only a keyed hash.
  std::string hwid;
  /// Your application's version (semver).
  std::string version;
  Keeper keeper;
  Send send;
  /// The shop's public keys, built into your application. If there are none, the client fetches and stores them.
  std::vector<PublicKey> keys = {};
  /// The customer's auth token (Account, Details), for applications that don't sign in.
  std::string token = {};
  /// The addresses whose tokens count; by default the shop's.
  std::vector<std::string> issuers = {};
  /// For tests: Unix seconds, and waiting for seconds.
  std::function<std::int64_t()> now = [] {
    using namespace std::chrono;
    return duration_cast<seconds>(system_clock::now().time_since_epoch()).count();
  };
  std::function<void(int)> wait = [](int seconds) { std::this_thread::sleep_for(std::chrono::seconds(seconds)); };
};

namespace detail {

constexpr std::int64_t leeway_seconds = 5 * 60;
constexpr std::size_t longest_token = 8192;
constexpr int deepest_token = 8;
constexpr int deepest_answer = 64;
constexpr std::int64_t largest_exact = 9007199254740991;

/// Reads JSON as RFC 8259 has it; throws on anything else, on a name twice, and on text that is not UTF-8.
class Reader {
 public:
  Reader(const std::string& text, int deepest) : text_(text), deepest_(deepest) {}

  Json all() {
    expect_utf8();
    Json value = read(1);
    skip();
    if (at_ != text_.size()) fail();
    return value;
  }

 private:
  [[noreturn]] static void fail() { throw std::invalid_argument("not JSON"); }
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  bool take(char wanted) {
    if (at_ >= text_.size() || text_[at_] != wanted) return false;
    ++at_;
    return true;
  }
  void expect(const char* word) {
    for (; *word; ++word)
      if (!take(*word)) fail();
  }
  void skip() {
    while (at_ < text_.size() && std::string(" \t\r\n").find(text_[at_]) != std::string::npos) ++at_;
  }

  void expect_utf8() const {
    for (std::size_t at = 0; at < text_.size();) {
      const auto byte = [&](std::size_t n) -> unsigned { return n < text_.size() ? (unsigned char)text_[n] : 0; };
      const unsigned first = byte(at);
      if ((first >= 0x80 && first < 0xC2) || first > 0xF4) fail();
      const int more = first < 0x80 ? 0 : first < 0xE0 ? 1 : first < 0xF0 ? 2 : 3;
      unsigned point = more == 0 ? first : first & (0x3Fu >> more);
      for (int n = 1; n <= more; ++n) {
        if ((byte(at + n) & 0xC0) != 0x80) fail();
        point = point << 6 | (byte(at + n) & 0x3F);
      }
      if ((more == 2 && point < 0x800) || (more == 3 && point < 0x10000)) fail();
      if ((point >= 0xD800 && point < 0xE000) || point > 0x10FFFF) fail();
      at += 1 + more;
    }
  }

  Json read(int depth) {
    skip();
    const char first = peek();
    if (first == '{' || first == '[') {
      if (depth > deepest_) fail();
      return first == '{' ? read_object(depth) : read_list(depth);
    }
    if (first == '"') return Json(read_text());
    if (first == '-' || (first >= '0' && first <= '9')) return read_number();
    Json value;
    if (first == 'n') return expect("null"), value;
    value.kind = Json::boolean;
    value.yes = first == 't';
    expect(value.yes ? "true" : "false");
    return value;
  }

  Json read_object(int depth) {
    Json value = Json::of({});
    expect("{");
    skip();
    if (take('}')) return value;
    do {
      skip();
      std::string name = read_text();
      skip();
      expect(":");
      if (!value.members.emplace(std::move(name), read(depth + 1)).second) fail();
      skip();
    } while (take(','));
    expect("}");
    return value;
  }

  Json read_list(int depth) {
    Json value;
    value.kind = Json::list;
    expect("[");
    skip();
    if (take(']')) return value;
    do {
      value.items.push_back(read(depth + 1));
      skip();
    } while (take(','));
    expect("]");
    return value;
  }

  void digits() {
    if (peek() < '0' || peek() > '9') fail();
    while (peek() >= '0' && peek() <= '9') ++at_;
  }

  Json read_number() {
    const std::size_t from = at_;
    take('-');
    if (!take('0')) digits();
    const std::string read = text_.substr(from, at_ - from);
    bool whole = read.size() <= 17;
    if (take('.')) digits(), whole = false;
    if (take('e') || take('E')) {
      if (!take('+')) take('-');
      digits();
      whole = false;
    }
    Json value;
    value.kind = Json::other;
    if (!whole) return value;
    const std::int64_t number = std::stoll(read);
    if (number > largest_exact || number < -largest_exact) return value;
    return Json(number);
  }

  unsigned read_hex() {
    unsigned value = 0;
    for (int n = 0; n < 4; ++n, ++at_) {
      const char digit = peek();
      if (digit >= '0' && digit <= '9') value = value * 16 + (digit - '0');
      else if ((digit | 32) >= 'a' && (digit | 32) <= 'f') value = value * 16 + ((digit | 32) - 'a' + 10);
      else fail();
    }
    return value;
  }

  std::string read_text() {
    expect("\"");
    std::string made;
    while (!take('"')) {
      if (at_ >= text_.size() || (unsigned char)text_[at_] < 0x20) fail();
      if (take('\\')) made += read_escape();
      else made += text_[at_++];
    }
    return made;
  }

  std::string read_escape() {
    static const std::string letters = "\"\\/bfnrt", meant = "\"\\/\b\f\n\r\t";
    if (take('u')) {
      unsigned point = read_hex();
      if (point >= 0xD800 && point < 0xDC00) {
        expect("\\u");
        const unsigned low = read_hex();
        if (low < 0xDC00 || low >= 0xE000) fail();
        point = 0x10000 + ((point - 0xD800) << 10) + (low - 0xDC00);
      } else if (point >= 0xDC00 && point < 0xE000) {
        fail();
      }
      return utf8(point);
    }
    const std::size_t found = at_ < text_.size() ? letters.find(text_[at_++]) : std::string::npos;
    if (found == std::string::npos) fail();
    return std::string(1, meant[found]);
  }

  static std::string utf8(unsigned point) {
    if (point < 0x80) return std::string(1, (char)point);
    std::string made;
    for (; point >= (made.empty() ? 0x40u : 0x40u >> made.size()); point >>= 6)
      made.insert(made.begin(), (char)(0x80 | (point & 0x3F)));
    return (char)((0xFF00 >> (made.size() + 1) & 0xFF) | point) + made;
  }

  const std::string& text_;
  const int deepest_;
  std::size_t at_ = 0;
};

inline std::optional<Json> read_json(const std::string& text, int deepest) {
  try {
    return Reader(text, deepest).all();
  } catch (const std::exception&) {
    return std::nullopt;
  }
}

inline std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (const char letter : text) {
    char escape[8];
    std::snprintf(escape, sizeof escape, "\\u%04x", (unsigned char)letter);
    if (letter == '"' || letter == '\\') made += std::string("\\") + letter;
    else made += (unsigned char)letter < 0x20 ? std::string(escape) : std::string(1, letter);
  }
  return made + "\"";
}

/// A machine may be named anything: what the shop shows of it has 1 to 64 characters, counted in UTF-16. What is not
/// UTF-8 is left out.
inline std::string shown(const std::string& text, const std::string& nothing) {
  std::string line;
  bool seen = false;
  for (std::size_t at = 0, units = 0; at < text.size();) {
    const unsigned char first = (unsigned char)text[at];
    const std::size_t length = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
    const std::string letter = text.substr(at, length);
    const bool whole = read_json(detail::quoted(letter), 1).has_value();
    at += whole ? length : 1;
    const auto within = [&](const char* from, const char* to) { return letter >= from && letter <= to; };
    const bool blank = within("", " ") || within("\x7F", "\xC2\xA0") || within("\xE2\x80\x80", "\xE2\x80\x8F") ||
                       within("\xE2\x80\xA8", "\xE2\x80\xAF") || within("\xE2\x81\x9F", "\xE2\x81\xAF") ||
                       letter == "\xD8\x9C" || letter == "\xE3\x80\x80" || letter == "\xEF\xBB\xBF";
    if (!whole || (!seen && blank)) continue;
    units += letter.size() == 4 ? 2 : 1;
    if (units > 64) break;
    seen = true;
    line += letter;
  }
  return seen ? line : nothing;
}

inline std::string write_json(const Json& value) {
  std::string made;
  const auto next = [&made] { return made.empty() ? "" : ","; };
  switch (value.kind) {
    case Json::boolean: return value.yes ? "true" : "false";
    case Json::whole: return std::to_string(value.number);
    case Json::text: return quoted(value.string);
    case Json::list:
      for (const Json& one : value.items) made += next() + write_json(one);
      return "[" + made + "]";
    case Json::object:
      for (const auto& [name, one] : value.members) made += next() + quoted(name) + ":" + write_json(one);
      return "{" + made + "}";
    default: return "null";
  }
}

/// Numbers that every language reads alike: whole and exact.
inline bool is_plain(const Json& value) {
  const auto plain = [](const auto& one) { return is_plain(one); };
  return value.kind != Json::other && std::all_of(value.items.begin(), value.items.end(), plain) &&
         std::all_of(value.members.begin(), value.members.end(), [](const auto& one) { return is_plain(one.second); });
}

constexpr char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

inline std::string to_base64url(const std::string& bytes) {
  std::string made;
  unsigned held = 0;
  int bits = 0;
  for (const char byte : bytes) {
    held = (held << 8 | (unsigned char)byte) & 0xFFFFF;
    for (bits += 8; bits >= 6; bits -= 6) made += alphabet[held >> (bits - 6) & 63];
  }
  if (bits > 0) made += alphabet[held << (6 - bits) & 63];
  return made;
}

/// None unless the text is the one form of its bytes: no padding, no other letters, no stray bits.
inline std::optional<std::string> from_base64url(const std::string& text) {
  static const std::string letters = alphabet;
  std::string bytes;
  unsigned held = 0;
  int bits = 0;
  for (const char letter : text) {
    const std::size_t found = letters.find(letter);
    if (found == std::string::npos) return std::nullopt;
    held = (held << 6 | (unsigned)found) & 0xFFFFF;
    if ((bits += 6) < 8) continue;
    bits -= 8;
    bytes += (char)(held >> bits & 0xFF);
  }
  return to_base64url(bytes) == text ? std::optional(bytes) : std::nullopt;
}

inline bool is_signed(const std::string& text, const std::string& signature, const std::string& key) {
  const std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> parsed(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, (const unsigned char*)key.data(), key.size()),
      EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return parsed && context && signature.size() == 64 &&
         EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, parsed.get()) == 1 &&
         EVP_DigestVerify(context.get(), (const unsigned char*)signature.data(), signature.size(),
                          (const unsigned char*)text.data(), text.size()) == 1;
}

struct Token {
  Json header, claims;
  std::string signed_text, signature;
};

/// The token in a `license.lic`: its lines between the first and the last, however they are broken.
inline std::string without_armour(const std::string& text) {
  std::vector<std::string> lines(1);
  for (const char letter : text.substr(text.compare(0, 3, "\xEF\xBB\xBF") == 0 ? 3 : 0)) {
    if (letter == '\r' || letter == '\n') lines.emplace_back();
    else lines.back() += letter;
  }
  std::vector<std::string> filled;
  for (const std::string& line : lines) {
    const std::size_t from = line.find_first_not_of(" \t");
    if (from != std::string::npos) filled.push_back(line.substr(from, line.find_last_not_of(" \t") - from + 1));
  }
  if (filled.empty() || filled.front() != "-----BEGIN LICENSE FILE-----") return text;
  std::string token;
  for (std::size_t at = 1; at + 1 < filled.size(); ++at) token += filled[at];
  return filled.back() == "-----END LICENSE FILE-----" ? token : "";
}

inline std::optional<Json> read_part(const std::string& part) {
  const auto bytes = from_base64url(part);
  auto value = bytes ? read_json(*bytes, deepest_token) : std::nullopt;
  return value && value->kind == Json::object && is_plain(*value) ? value : std::nullopt;
}

/// A token's parts; none unless it is exactly what the shop writes: three parts, canonical, with all claims.
inline std::optional<Token> read_token(const std::string& text) {
  const std::string token = without_armour(text);
  const std::size_t first = token.find('.');
  const std::size_t second = first == std::string::npos ? first : token.find('.', first + 1);
  if (token.size() > longest_token || second == std::string::npos) return std::nullopt;
  const auto header = read_part(token.substr(0, first));
  const auto claims = read_part(token.substr(first + 1, second - first - 1));
  const auto signature = from_base64url(token.substr(second + 1));
  if (!header || !claims || !signature) return std::nullopt;
  if (!(*header)["alg"].is_text() || header->has("crit")) return std::nullopt;
  if (header->has("kid") && !(*header)["kid"].is_text()) return std::nullopt;
  const Json& entitlement = (*claims)["entitlement"];
  const Json& expires = entitlement["expires"];
  if (!entitlement["type"].is_text() || !entitlement.has("expires")) return std::nullopt;
  if (claims->has("level") && !(*claims)["level"].is_text()) return std::nullopt;
  if (claims->has("features") && (*claims)["features"].kind != Json::object) return std::nullopt;
  for (const auto& [name, end] : (*claims)["features"].members)
    if (end.kind != Json::whole) return std::nullopt;
  if (expires.kind != Json::null && expires.kind != Json::whole) return std::nullopt;
  for (const char* name : {"iss", "aud", "sub", "device"})
    if (!(*claims)[name].is_text()) return std::nullopt;
  for (const char* name : {"iat", "exp", "grace_until"})
    if ((*claims)[name].kind != Json::whole) return std::nullopt;
  return Token{*header, *claims, token.substr(0, second), *signature};
}

inline std::optional<std::string> find_key(const std::vector<PublicKey>& keys, const std::string& kid) {
  for (const PublicKey& key : keys) {
    if (key.kid != kid || key.kty != "OKP" || key.crv != "Ed25519") continue;
    const auto x = from_base64url(key.x);
    if (x && x->size() == 32) return x;
  }
  return std::nullopt;
}

/// The keys of a JWK set.
inline std::vector<PublicKey> keys_in(const Json& list) {
  std::vector<PublicKey> keys;
  for (const Json& one : list.items)
    if (one["kid"].is_text())
      keys.push_back({one["kty"].string, one["crv"].string, one["x"].string, one["kid"].string});
  return keys;
}

/// Unix seconds of a time as the shop writes it: 2026-11-28T09:58:58.000Z.
inline std::optional<std::int64_t> instant(const Json& value) {
  int year, month, day, hour, minute, second;
  if (std::sscanf(value.string.c_str(), "%4d-%2d-%2dT%2d:%2d:%2d", &year, &month, &day, &hour, &minute, &second) != 6)
    return std::nullopt;
  // a year that begins in March ends with its leap day
  const std::int64_t from_march = month > 2 ? year : year - 1, months = (month + 9) % 12;
  const std::int64_t days = from_march * 365 + from_march / 4 - from_march / 100 + from_march / 400 +
                            (months * 153 + 2) / 5 + day - 1 - 719468;
  return ((days * 24 + hour) * 60 + minute) * 60 + second;
}

/// Scheme, host and port of a URL, as browsers write it.
inline std::string origin_of(const std::string& url) {
  const std::size_t host = url.find("://");
  if (host == std::string::npos) throw std::invalid_argument("the shop's URL begins with https://");
  std::string origin = url.substr(0, url.find_first_of("/?#", host + 3));
  for (char& letter : origin)
    if (letter >= 'A' && letter <= 'Z') letter += 'a' - 'A';
  for (const auto& [scheme, port] : {std::pair("https:", ":443"), std::pair("http:", ":80")}) {
    const std::string end = port;
    if (origin.rfind(scheme, 0) == 0 && origin.size() > end.size() &&
        origin.compare(origin.size() - end.size(), end.size(), end) == 0)
      origin.erase(origin.size() - end.size());
  }
  return origin;
}

}  // namespace detail

/// Base64url of the SHA-256 of a text.
inline std::string sha256(const std::string& text) {
  std::string hash(32, '\0');
  if (EVP_Digest(text.data(), text.size(), (unsigned char*)hash.data(), nullptr, EVP_sha256(), nullptr) != 1)
    throw std::runtime_error("SHA-256 is not available");
  return detail::to_base64url(hash);
}

/// Whether a token, or the text of a `license.lic`, entitles this machine: "grace" if it has expired but its grace
/// period has not. Times are Unix seconds; `latest_seen` is the latest ever seen here, which reveals a clock set back.
/// `fresh`: the shop answered with it in this very call, so that it is not earlier than `iat`, whatever the clock says.
inline Check check_token(const std::string& token, const std::vector<PublicKey>& keys, const std::string& issuer,
                         const std::string& hwid, std::int64_t now, std::int64_t latest_seen, bool fresh = false) {
  using namespace detail;
  const auto read = read_token(token);
  if (!read) return {"refused", "malformed"};
  const Json &header = read->header, &claims = read->claims;
  if (header["alg"].string != "EdDSA") return {"refused", "algorithm"};
  const auto key = header.has("kid") ? find_key(keys, header["kid"].string) : std::nullopt;
  if (!key) return {"refused", "unknown_key"};
  if (!is_signed(read->signed_text, read->signature, *key)) return {"refused", "signature"};
  if (claims["aud"].string != "application") return {"refused", "audience"};
  if (claims["iss"].string != issuer) return {"refused", "issuer"};
  const std::string account = claims["sub"].string + "\n", device = claims["device"].string;
  if (device != sha256(account + hwid) && device != sha256(account + sha256(hwid))) return {"refused", "device"};
  if (fresh) now = std::max(now, claims["iat"].number);
  if (now < claims["iat"].number - leeway_seconds) return {"refused", "not_yet_valid"};
  if (now < latest_seen - leeway_seconds) return {"refused", "clock"};
  if (now >= claims["grace_until"].number) return {"refused", "ended"};
  return {now < claims["exp"].number ? "valid" : "grace", ""};
}

/// The features of a token or a `license.lic` that passed `check_token`, as far as they haven't ended, sorted.
inline std::vector<std::string> features_of(const std::string& token, std::int64_t now) {
  std::vector<std::string> found;
  const auto read = detail::read_token(token);
  if (!read) return found;
  for (const auto& [name, end] : read->claims["features"].members)
    if (now < end.number) found.push_back(name);
  return found;
}

/// The licence of this computer at one shop.
class Licence {
 public:
  explicit Licence(Options options) : options_(std::move(options)) {
    const std::string origin = detail::origin_of(options_.shop);
    base_ = origin + "/api/app/v1/";
    if (options_.issuers.empty()) options_.issuers = {origin};
  }

  /// Signs in through the customer's browser (RFC 8628): `show` gets the code to show. `stop` ends it early.
  ///
  /// Returns signed_in, access_denied, expired_token, slow_down (too many computers of this network ask), unsupported
  /// (this shop has no sign-in for applications: use the customer's auth token), invalid_request (the shop finds the
  /// question wrong, which waiting doesn't mend), unavailable or stopped.
  std::string sign_in(const std::string& label, const std::string& os, const std::function<void(const SignInCode&)>& show,
                      const std::function<bool()>& stop = [] { return false; }) {
    const Answer asked = post("device/code", machine(label, os), "");
    if (asked.status == 404 || asked.status == 429) return asked.status == 404 ? "unsupported" : "slow_down";
    if (!fault_in(asked).empty()) return "invalid_request";
    const Json& code = asked.body;
    if (asked.status != 200 || !code["device_code"].is_text()) return "unavailable";
    const std::int64_t ends = options_.now() + (code["expires_in"].number > 0 ? code["expires_in"].number : 900);
    const std::string uri = code["verification_uri"].string;
    show({code["user_code"].string, uri, code["verification_uri_complete"].maybe_text().value_or(uri), ends});
    std::int64_t interval = code["interval"].number > 0 ? code["interval"].number : 5;
    const Json grant = Json::of({{"grant_type", "urn:ietf:params:oauth:grant-type:device_code"},
                                 {"device_code", code["device_code"]}});
    for (;;) {
      options_.wait((int)std::min<std::int64_t>(interval, 900));
      if (stop()) return "stopped";
      if (options_.now() >= ends) return "expired_token";
      const Answer answer = post("device/token", grant, "");
      if (answer.status == 200 && answer.body["access_token"].is_text()) {
        keep({{"accessToken", answer.body["access_token"]}});
        return "signed_in";
      }
      const std::string& error = answer.body["error"].string;
      if (error == "access_denied") return error;
      if (error == "expired_token" || error == "invalid_grant") return "expired_token";
      if (error == "invalid_request" || error == "unsupported_grant_type") return "invalid_request";
      if (error == "slow_down") interval += 5;
      // RFC 8628 §3.5: poll less often when the shop does not answer
      else if (error != "authorization_pending") interval = std::min<std::int64_t>(interval * 2, 60);
    }
  }

  /// Binds this machine, or confirms that it is bound. Call it when the customer has signed in.
  Verdict activate(const std::string& label, const std::string& os) { return ask_shop("activate", machine(label, os)); }

  /// Asks the shop, and falls back to the stored token. Call it at every start and about once a day.
  Verdict check() {
    return ask_shop("validate", Json::of({{"hwid", options_.hwid}, {"version", options_.version}}));
  }

  /// Checks the stored token, without the network.
  Verdict check_offline() {
    const Kept kept = recall();
    current_.reset();
    if (!kept.token) return unverified("no_token");
    const Check checked = judge(*kept.token, kept, false);
    const std::int64_t now = options_.now() + kept.ahead;
    if (checked.verdict != "refused" && now > kept.latest_seen) keep({{"latestSeen", now}});
    return conclude(checked, *kept.token, false, kept.ahead);
  }

  /// Whether this computer has a feature now, by the latest verdict. Ask after `check`; before it the answer is no.
  bool has(const std::string& feature) {
    if (!current_) return false;
    current_->from = std::max(current_->from, options_.now() + current_->ahead);
    const auto now = features_of(current_->token, current_->from);
    return std::find(now.begin(), now.end(), feature) != now.end();
  }

  /// Releases this machine.
  bool deactivate() {
    const std::string token = bearer();
    if (token.empty()) return false;
    const Answer answer = post("deactivate", Json::of({{"hwid", options_.hwid}}), token);
    if (answer.status != 200 || answer.body["code"].string != "NOT_ACTIVATED") return false;
    current_.reset();
    keep({{"token", Json()}});
    return true;
  }

  /// Whose licence this is; none if the shop can't be reached or does not say.
  std::optional<Me> me() {
    const Json data = data_of("me");
    if (!data["username"].is_text() || data["devices"].kind != Json::object) return std::nullopt;
    const Json &devices = data["devices"], &level = data["level"];
    Me me{data["username"].string, data["offer"].maybe_text(), data["type"].maybe_text(),
          detail::instant(data["expires_at"]), devices["used"].number, devices["places"].number,
          level["id"].maybe_text(), level["name"].maybe_text(), {}};
    for (const Json& one : data["features"].items) me.features.push_back(one.string);
    return me;
  }

  /// The newest release for "windows", "mac" or "linux", with absolute URLs; none if there is none or the shop can't be
  /// reached. `channel` is latest, beta or alpha.
  std::optional<Update> update(const std::string& system, const std::string& channel = "latest") {
    const Json data = data_of("update/" + system + "?version=" + escaped(options_.version) + "&channel=" + channel +
                              "&hwid_hash=" + sha256(options_.hwid));
    if (data["files"].kind != Json::list) return std::nullopt;
    Update found{data["version"].string, data["title"].string,  data["content"].string,
                 data["newer"].yes,      data["required"].yes, {}};
    for (const Json& one : data["files"].items) {
      const std::string& url = one["url"].string;
      const std::string whole = url.find("://") != std::string::npos ? url : base_ + "update/" + url;
      found.files.push_back({one["platform"].string, one["name"].string, whole, one["size"].number,
                             one["sha512"].string, one["signature"].string});
    }
    return found;
  }

  /// For a computer that never goes online: what its owner takes to the shop's page to get a `license.lic`.
  std::string offline_request(const std::string& label, const std::string& os) const {
    return detail::to_base64url(detail::write_json(
        Json::of({{"hwid_hash", sha256(options_.hwid)},
                  {"label", detail::shown(label, "A computer")},
                  {"os", detail::shown(os, "Unknown")}})));
  }

  /// Takes in the text of a `license.lic`; from then on `check` and `check_offline` go by it.
  Verdict use_file(const std::string& text) { return take_in(text, false); }

 private:
  struct Answer {
    /// 0 if the shop can't be reached, so that an outage never counts as "invalid".
    int status = 0;
    Json body;
  };
  struct Kept {
    /// None before the first sign-in, and empty when the last has ended.
    std::optional<std::string> access_token;
    std::optional<std::string> token;
    Json keys;
    std::int64_t latest_seen;
    /// How many seconds the shop's clock was ahead of this computer's at the last answer.
    std::int64_t ahead;
  };

  Json machine(const std::string& label, const std::string& os) const {
    return Json::of({{"hwid", options_.hwid},
                     {"label", detail::shown(label, "A computer")},
                     {"os", detail::shown(os, "Unknown")},
                     {"version", options_.version}});
  }

  static std::string escaped(const std::string& text) {
    std::string made;
    for (const char letter : text) {
      char code[4];
      std::snprintf(code, sizeof code, "%%%02X", (unsigned char)letter);
      const bool safe = (letter >= '0' && letter <= '9') || ((letter | 32) >= 'a' && (letter | 32) <= 'z');
      made += safe || letter == '.' || letter == '-' ? std::string(1, letter) : std::string(code);
    }
    return made;
  }

  Answer call(Request request, const std::string& token) const {
    request.headers.emplace_back("Accept", "application/json");
    if (!token.empty()) request.headers.emplace_back("Authorization", "Bearer " + token);
    const auto response = options_.send(request);
    if (!response) return {};
    // a proxy or another server may answer with anything
    return {response->status, detail::read_json(response->body, detail::deepest_answer).value_or(Json())};
  }
  Answer get(const std::string& path, const std::string& token) const {
    return call({"GET", base_ + path, {}, ""}, token);
  }
  Answer post(const std::string& path, const Json& body, const std::string& token) const {
    return call({"POST", base_ + path, {{"Content-Type", "application/json"}}, detail::write_json(body)}, token);
  }

  Json stored() const { return detail::read_json(options_.keeper.read(), detail::deepest_answer).value_or(Json()); }

  Kept recall() const {
    try {
      known_ = stored();
    } catch (...) {
      // what it was before counts
    }
    Json kept = known_;
    for (const auto& [name, value] : unstored_) kept.members[name] = value;
    return {kept["accessToken"].maybe_text(), kept["token"].maybe_text(), kept["keys"], kept["latestSeen"].number,
            std::max<std::int64_t>(0, kept["ahead"].number)};
  }

  void keep(const std::map<std::string, Json>& changed) {
    for (const auto& [name, value] : changed) unstored_[name] = value;
    try {
      // what can't be read now is not written over
      known_ = stored();
      known_.kind = Json::object;
      for (const auto& [name, value] : unstored_) known_.members[name] = value;
      options_.keeper.write(detail::write_json(known_));
      unstored_.clear();
    } catch (...) {
      // tried again with the next change
    }
  }

  std::string bearer() const {
    const std::string own = recall().access_token.value_or("");
    return own.empty() ? options_.token : own;
  }

  Json data_of(const std::string& path) const {
    const std::string token = bearer();
    const Answer answer = token.empty() ? Answer{} : get(path, token);
    return answer.status == 200 && answer.body["code"].string == "VALID" ? answer.body["data"] : Json();
  }

  Check judge(const std::string& token, const Kept& kept, bool fresh) const {
    const auto known = options_.keys.empty() ? detail::keys_in(kept.keys) : options_.keys;
    // what the shop says now counts even if the clock once was ahead
    const std::int64_t now = options_.now() + (fresh ? 0 : kept.ahead), seen = fresh ? 0 : kept.latest_seen;
    Check checked{"refused", "issuer"};
    for (const std::string& issuer : options_.issuers)
      if (checked.reason == "issuer")
        checked = check_token(token, known, issuer, options_.hwid, now, seen, fresh);
    return checked;
  }

  /// A question that is wrong, or to a server that isn't a shop.
  static std::string fault_in(const Answer& answer) {
    const int status = answer.status;
    if (status != 400 && status != 404 && status != 405 && status != 413 && status != 415) return "";
    std::string fault = std::to_string(status);
    for (const char* name : {"code", "field"})
      if (answer.body[name].is_text()) fault += " " + answer.body[name].string;
    return fault;
  }

  static Verdict unverified(const std::string& why) {
    Verdict verdict;
    verdict.code = "UNVERIFIED";
    verdict.why = why;
    return verdict;
  }

  /// `ahead`: by how many seconds the shop's clock is ahead of this computer's.
  Verdict conclude(const Check& checked, const std::string& token, bool online, std::int64_t ahead) {
    const auto read = detail::read_token(token);
    current_.reset();
    if (checked.verdict == "refused" || !read) return unverified(checked.reason);
    current_ = Current{token, options_.now() + ahead, ahead};
    const Json& entitlement = read->claims["entitlement"];
    Verdict verdict;
    verdict.code = "VALID";
    verdict.online = online;
    verdict.grace = checked.verdict == "grace";
    verdict.type = entitlement["type"].string;
    verdict.level = read->claims["level"].maybe_text().value_or(verdict.type);
    verdict.features = features_of(token, current_->from);
    if (entitlement["expires"].kind == Json::whole) verdict.expires_at = entitlement["expires"].number;
    verdict.offline_until = read->claims["grace_until"].number;
    return verdict;
  }

  /// Stores a token of the shop, or a file, and the keys that verify it, if it is for this machine.
  Verdict take_in(const std::string& token, bool online) {
    Kept kept = recall();
    const auto read = detail::read_token(token);
    const std::string kid = read ? read->header["kid"].string : "";
    if (options_.keys.empty() && read && !detail::find_key(detail::keys_in(kept.keys), kid)) {
      const Json fetched = get("keys", "").body["keys"];
      if (fetched.kind == Json::list) kept.keys = fetched;
    }
    const Check checked = judge(token, kept, online);
    if (checked.verdict != "refused" && online) {
      const std::int64_t iat = read->claims["iat"].number;
      // less what was added to the clock, which may have been put right since
      const std::int64_t seen = std::max(kept.latest_seen - kept.ahead, iat);
      kept.ahead = std::max<std::int64_t>(0, iat - options_.now());
      keep({{"token", token}, {"keys", kept.keys}, {"latestSeen", seen}, {"ahead", kept.ahead}});
    } else if (checked.verdict != "refused") {
      const std::int64_t seen = std::max(kept.latest_seen, options_.now() + kept.ahead);
      keep({{"token", token}, {"keys", kept.keys}, {"latestSeen", seen}});
    } else if (online) {
      // a later version of the application knows the key or the address; until then the stored token counts
      const Verdict stored = check_offline();
      if (stored.code == "VALID") return stored;
    } else {
      // a file that is refused changes nothing of what stands
      return unverified(checked.reason);
    }
    return conclude(checked, token, online, kept.ahead);
  }

  Verdict ask_shop(const std::string& path, const Json& body) {
    const std::string token = bearer();
    if (token.empty()) {
      Verdict verdict = check_offline();
      verdict.sign_in = verdict.code == "UNVERIFIED" || recall().access_token == "";
      return verdict;
    }
    const Answer answer = post(path, body, token);
    const std::string& code = answer.body["code"].string;
    const Json& data = answer.body["data"];
    if (code == "VALID" && data["token"].is_text()) return take_in(data["token"].string, true);
    if (answer.status == 401 && code == "NO_LICENSE") {
      // the sign-in has ended, which says nothing about the licence
      keep({{"accessToken", ""}});
      Verdict verdict = check_offline();
      verdict.sign_in = true;
      return verdict;
    }
    static const std::vector<std::string> refusals = {
        "NO_LICENSE", "EXPIRED", "DISPUTED", "REVOKED", "NOT_ACTIVATED", "HWID_MISMATCH", "UPDATE_REQUIRED"};
    if (std::find(refusals.begin(), refusals.end(), code) == refusals.end()) {
      Verdict verdict = check_offline();
      verdict.fault = fault_in(answer);
      return verdict;
    }
    // otherwise a revoked licence would come back offline
    current_.reset();
    keep({{"token", Json()}});
    Verdict verdict;
    verdict.code = code;
    verdict.message = data.string;
    verdict.available_at = detail::instant(answer.body["available_at"]);
    verdict.minimum_version = answer.body["minimum_version"].maybe_text();
    return verdict;
  }

  Options options_;
  std::string base_;
  /// What could not be stored counts until the application ends: no verdict depends on whether it could.
  std::map<std::string, Json> unstored_;
  mutable Json known_;
  /// The token of the latest verdict, if it was VALID; the latest time since, and how far the shop's clock is ahead.
  struct Current {
    std::string token;
    std::int64_t from, ahead;
  };
  std::optional<Current> current_;
};

}  // namespace licence
