// Ways out of the sandbox that are not granted, as commands. Each has to fail, or to be undone when it has ended. What
// really happened is judged outside.

export interface AttackPlaces {
  readonly root: string;
  readonly home: string;
  /** Our own session files. */
  readonly data: string;
  /** Listens on TCP, on 127.0.0.1 and ::1, and on UDP. */
  readonly port: number;
  readonly socket: string;
  readonly abstractSocket: string;
  /** The process that runs the test. */
  readonly pid: number;
}

export interface Attack {
  readonly command: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Written from inside by nobody. */
export function writesOutside({ home, pid }: AttackPlaces): readonly string[] {
  const outside = `${home}/escaped`;
  return [
    `echo x > ${outside}`,
    `cp project.txt ${outside}`,
    "echo x > /etc/tunacode-escaped",
    `ln -s ${home} out && echo x > out/escaped`,
    `for i in 1 2 3 4 5 6 7 8 9; do ln -sfn ${home} race & ln -sfn . race & echo x > race/escaped & done; wait; rm -f escaped race`,
    `echo x > /proc/self/root${outside}`,
    `echo x > /proc/1/root${outside}`,
    `cd / && echo x > .${outside}`,
    `mount -o remount,rw / && touch ${outside}`,
    `mount -t tmpfs none ${home} && touch ${outside}`,
    `unshare -Urm sh -c "mount -o remount,bind,rw / && touch ${outside}"`,
    `bwrap --bind / / touch ${outside}`,
    `nsenter -t 1 -m touch ${outside}`,
    `nsenter -t ${pid} -m touch ${outside}`,
    `chroot /proc/1/root touch ${outside}`,
    `perl -e 'open F, ">", "${outside}" or die "no"'`,
    `(setsid sh -c "sleep 0.2; touch ${outside}" &) ; sleep 0.4`,
    `cp /bin/sh shell && chmod u+s shell && ./shell -p -c "touch ${outside}"; rm -f shell`,
    `sudo -n touch ${outside} || su -c "touch ${outside}"`,
    `echo x > /dev/shm/tunacode-escaped; echo x > /tmp/tunacode-escaped; echo x > /var/tmp/tunacode-escaped`,
    `kill -9 ${pid}`,
    // ptrace, io_uring_setup, userfaultfd, bpf, keyctl.
    `perl -e 'print syscall(101, 16, ${pid}, 0, 0), syscall(425, 8, "\\0" x 120), syscall(323, 0), syscall(321, 0, 0, 0), syscall(250, 0, -3, 1)'`,
    `perl -e 'open T, "+<", "/dev/tty" or die "no"; ioctl(T, 0x5412, $_) for split //, "touch ${outside}\\n"'`,
    `echo x > /proc/${pid}/cwd/escaped; echo x > /proc/${pid}/root${outside}`,
    // Opened for writing, and not written: it is the machine's.
    `exec 3<> /proc/sys/kernel/core_pattern && cp project.txt kernel-opened`,
    `echo x > /sys/kernel/uevent_helper; echo x > /sys/fs/cgroup/release_agent`,
  ];
}

/** Files that other programs obey and that exist. */
export function changesPower({ root }: AttackPlaces): readonly string[] {
  return [
    "echo '[core] fsmonitor = x' >> .git/config",
    "printf '#!/bin/sh\\n' > .git/hooks/pre-commit",
    "git config core.fsmonitor 'touch /tmp/tunacode-hook'",
    "mv .git .git-old && mkdir .git",
    "rm -rf .git",
    "rm -rf .git/hooks && mkdir .git/hooks && echo x > .git/hooks/pre-commit",
    "cp -r .git copy && rm -rf .git && mv copy .git; rm -rf copy",
    "git init -q --separate-git-dir=elsewhere . ; rm -rf elsewhere",
    "mv sub moved",
    "mv sub/deep moved",
    "rm -rf sub",
    "ln -sfn prepared .git",
    "ln .npmrc second && echo x >> second",
    "ln .git/config second && echo x >> second",
    `perl -e 'mkdir "prepared"; syscall(316, -100, "prepared", -100, ".vscode", 2) and die "no"'`,
    "sed -i s/a/b/ .vscode/settings.json",
    "truncate -s 0 .npmrc",
    "chmod 777 .git/config .husky/pre-commit .vscode",
    "echo x > /proc/self/cwd/.git/config",
    `echo x > /proc/self/root${root}/.git/config`,
    `echo x > /proc/1/cwd/.git/config`,
    "cd .git && echo x > config",
    "dd if=project.txt of=.git/config conv=notrunc",
    "mkdir t && mkdir t/.vscode && echo x > t/.vscode/settings.json && tar cf - -C t . | tar xf - ; rm -rf t",
    "umount .git; umount -l .git; umount -l .vscode; echo x > .git/config",
    "mkdir -p prepared && mount --bind prepared .vscode && echo x > .vscode/settings.json",
    `unshare -Urm sh -c "umount -l ${root}/.git; echo x > ${root}/.git/config"`,
    `bwrap --bind / / --bind ${root} ${root} sh -c "echo x > ${root}/.git/config"`,
    "echo x >> bare.git/config",
    "mv bare.git b2",
    "echo 'gitdir: /tmp/x' > worktree/.git",
    "rm worktree/.git && mkdir worktree/.git",
    "ln -sfn prepared .idea",
    "rm .idea && mkdir .idea && echo x > .idea/workspace.xml",
    "echo x > conf/idea/workspace.xml",
    "mv conf conf2",
    "echo '[core] fsmonitor = x' >> sub/.git/config",
    "echo x >> .github/workflows/ci.yml",
    "echo x >> .husky/pre-commit",
    "echo '{}' > .claude/settings.json",
    "find . -name settings.json -exec sh -c 'echo x > $1' _ {} ';'",
    "git worktree add ../outside-tree; git stash; git commit --allow-empty -m x",
  ];
}

/** The same, and they don't exist yet. */
export function makesPower(): readonly string[] {
  return [
    "mkdir .zed && echo x > .zed/settings.json",
    "echo x > src/.envrc",
    "echo '{}' > .tunacode.json",
    "echo '{}' > src/.mcp.json",
    "mkdir -p .cursor/rules && echo x > .cursor/rules/a.mdc",
    "mkdir .devcontainer && echo x > .devcontainer/devcontainer.json",
    "git init -q fresh",
    "git init -q --bare fresh-bare",
    "mkdir -p gitlike/objects gitlike/refs && echo x > gitlike/HEAD && echo x > gitlike/config",
    "mkdir -p prepared && ln -s prepared .fleet",
    "mkdir -p step/.vscode && echo x > step/.vscode/tasks.json && mv step arrived",
    "mkdir .VSCode && echo x > .VSCode/settings.json",
    "echo 'gitdir: /tmp/x' > src/.git",
    "mkfifo .bashrc",
    "mkdir -p a/b/c/d/.codex && echo x > a/b/c/d/.codex/config.toml",
    "mkdir -p locked/.vscode && echo x > locked/.vscode/tasks.json && chmod 000 locked",
    "chmod 700 src && mkdir -p src/.claude && chmod 000 src",
    "for i in $(seq 1 300); do echo x > .aider$i; done",
    "mkdir -p many/{1..300} && for i in many/*; do echo x > $i/.envrc; done",
    "(setsid sh -c 'sleep 0.1; mkdir .opencode; sleep 5; mkdir .windsurf' &) ; sleep 0.3",
    "echo x > .gitlab-ci.yml; echo x > .gitmodules; echo x > lefthook.yml",
    "echo x > one && ln one .envrc && echo y > one",
    "mkdir -p node_modules/x/.vscode && mv node_modules/x y",
    "mkdir \"$(printf '.g\\342\\200\\214it')\"",
    "ln -s /nonexistent .profile; ln -s .zprofile .zshrc",
    "mkdir -p .husky2 && cp -r .husky .husky3 && mkdir -p src/.husky && echo x > src/.husky/pre-push",
  ];
}

/** Each prints what it could read. `turned` is how it gets past a mask that knows the key. */
export function reads({ root, home, data, pid }: AttackPlaces): readonly string[] {
  return [
    `cat ${home}/.ssh/id_rsa`,
    `cat /proc/self/root${home}/.ssh/id_rsa`,
    `cp -r ${home}/.ssh stolen && cat stolen/*`,
    `ln -s ${home}/.ssh/id_rsa k && cat k`,
    `tar cf - ${home}/.ssh | cat`,
    `perl -e 'open F, "<", "${home}/.ssh/id_rsa"; print <F>'`,
    `cat ${home}/.netrc ${home}/.git-credentials ${home}/.aws/credentials ${home}/.config/gh/hosts.yml ${home}/.npmrc`,
    `umount -l ${home}/.ssh; umount ${home}/.netrc; cat ${home}/.ssh/id_rsa ${home}/.netrc`,
    "cat .env; cat < .env; head -c 99 .env; dd if=.env; while read l; do echo $l; done < .env",
    "cat conf/prod.env conf/server.key",
    "git diff --no-index /dev/null .env",
    "git hash-object .env; git add -f .env; git grep --no-index the-secret",
    "mv .env x && cat x",
    "cp .env y; cat y; ln .env z; cat z",
    "mv conf conf3 && cat conf3/prod.env",
    "tar cf - . | strings | grep the-secret",
    "grep -rs the-secret . ",
    `grep -rs the-secret ${root}/.env /proc/1/cwd/.env /proc/self/cwd/.env`,
    "ln -s .env linked && cat linked",
    'perl -e \'print syscall(265, -100, ".env", -100, "e2", 0)\'; cat e2',
    `find ${data} -type f | xargs cat | head -c 3000`,
    "env | rev; env | base64",
    "cat /proc/self/environ /proc/1/environ | rev",
    "cat /proc/[0-9]*/environ | tr '\\0' '\\n' | rev",
    `cat /proc/${pid}/environ | rev; cat /proc/$PPID/environ | rev`,
    "for p in /proc/[0-9]*; do cat $p/cmdline | tr '\\0' ' ' | rev; done",
    "perl -e 'print scalar reverse join(\",\", %ENV)'",
    `unshare -Urm sh -c "umount -l ${root}/.env; cat ${root}/.env"`,
    "echo $SSH_AUTH_SOCK $DBUS_SESSION_BUS_ADDRESS $XAUTHORITY",
  ];
}

export function connects({ port, socket, abstractSocket }: AttackPlaces): readonly string[] {
  const unix = (path: string) =>
    `perl -MSocket -e "socket(S, PF_UNIX, SOCK_STREAM, 0) or die; connect(S, sockaddr_un('${path}')) or die"`;
  return [
    `exec 3<>/dev/tcp/127.0.0.1/${port} && echo hello >&3`,
    `echo x > /dev/udp/127.0.0.1/${port}`,
    `curl -s -m 2 --noproxy "" http://127.0.0.1:${port}/`,
    `curl -s -m 2 --noproxy '*' http://127.0.0.1:${port}/`,
    `curl -s -m 2 --noproxy "" http://localhost.localdomain:${port}/`,
    `curl -s -m 2 --noproxy "" -g "http://[::1]:${port}/"`,
    `curl -s -m 2 --noproxy "" http://2130706433:${port}/ http://0x7f.1:${port}/ http://0.0.0.0:${port}/`,
    `env -u HTTP_PROXY -u http_proxy curl -s -m 2 http://127.0.0.1:${port}/`,
    `curl -s -m 2 -H "Host: localhost" --noproxy "" http://127.0.0.1:${port}/`,
    `curl -s -m 2 -p --noproxy "" http://127.0.0.1:${port}/`,
    `curl -s -m 2 -p --proxy-header "Host: localhost:80" --noproxy "" http://127.0.0.1:${port}/`,
    `curl -s -m 2 -x "\${ALL_PROXY:-$all_proxy}" --noproxy "" http://127.0.0.1:${port}/`,
    `printf 'CONNECT 127.0.0.1:${port} HTTP/1.1\\r\\nHost: localhost\\r\\n\\r\\n' > /dev/tcp/127.0.0.1/3128`,
    `curl -s -m 2 --noproxy "" http://evil.apps.localhost:${port}/`,
    `curl -s -m 2 --noproxy "" http://EVIL.apps.localhost.:${port}/`,
    `curl -s -m 2 -p --noproxy "" http://evil.apps.localhost:${port}/`,
    `curl -s -m 2 -x "$(echo $HTTP_PROXY | sed 's#//[^@]*@#//srt:x@#')" --noproxy "" http://localhost:${port}/denied`,
    `perl -MSocket -e "socket(S, PF_INET, SOCK_STREAM, 0) or die; connect(S, sockaddr_in(${port}, inet_aton('127.0.0.1'))) or die"`,
    `socat -u OPEN:/dev/null UNIX-CONNECT:${socket}`,
    unix(socket),
    unix(`\\0${abstractSocket}`),
    `socat -u OPEN:/dev/null ABSTRACT-CONNECT:${abstractSocket}`,
    // VM sockets are not fenced by a network namespace.
    `perl -MSocket -e "socket(S, 40, SOCK_STREAM, 0) or die"`,
    `ip link set lo up; ip addr add 10.9.9.9/8 dev lo; curl -s -m 1 http://10.9.9.9:${port}/`,
  ];
}

/** Variables that the model sets act on the command, and not on what sets the sandbox up. */
export function executes({ root, home, socket }: AttackPlaces): readonly Attack[] {
  const reach = `perl -MSocket -e "socket(S, PF_UNIX, SOCK_STREAM, 0) and connect(S, sockaddr_un('${socket}'))"`;
  const planted = `mkdir -p tools && for p in bwrap socat bash sh env; do printf '#!/bin/sh\\n${reach.replaceAll('"', "\\042").replaceAll("'", "\\047")}\\ntouch ${home}/escaped\\n' > tools/$p && chmod +x tools/$p; done; touch ${home}/escaped`;
  return [
    { command: `printf '%s\\n' '${reach.replaceAll("'", "'\\''")}' 'touch ${home}/escaped' > start.sh` },
    { command: "true", env: { BASH_ENV: `${root}/start.sh`, ENV: `${root}/start.sh` } },
    { command: "true", env: { LD_PRELOAD: `${root}/evil.so` } },
    { command: "true", env: { LD_AUDIT: `${root}/evil.so`, LD_LIBRARY_PATH: root } },
    { command: planted },
    { command: "true", env: { PATH: `${root}/tools:/usr/bin:/bin` } },
    { command: "true", env: { SHELLOPTS: "xtrace", PS4: `$(${home}/x; . ${root}/start.sh)` } },
    { command: "true", env: { "BASH_FUNC_socat%%": `() { . ${root}/start.sh; }` } },
    { command: "true", env: { SRT_ALLOW_NESTED_USERNS: "1" } },
    {
      command: `unshare -Urm sh -c "mount -o remount,bind,rw / && touch ${home}/escaped"`,
      env: { SRT_ALLOW_NESTED_USERNS: "1" },
    },
    { command: "true", env: { SRT_OBSERVE_SOCK: socket } },
  ];
}
