// What the words of a command say about its effect.
import { expect, test } from "bun:test";
import { NO_GROUND } from "./effect.ts";
import { knownEffect } from "./known-effects.ts";

const THERE = new Set(["a.txt", "b.txt", "dir", "dir/a.txt", "src", "."]);
const ground = {
  ...NO_GROUND,
  exists: (path: string) => THERE.has(path.replace(/\/$/, "")),
  isOutside: (path: string) => path.startsWith("/"),
  isFolder: (path: string) => /^(dir|src|\.)\/?$/.test(path),
};

/** `?` stands for a word that isn't known before it runs. */
function kindOf(command: string): string {
  const words = command.split(" ").map((word) => (word === "?" ? null : word));
  return knownEffect(words, ground)?.kind ?? "nothing";
}

test.each([
  [
    "deletes",
    "rm a.txt|rm -rf src|/bin/rm x|rm -- -x|rmdir dir|unlink a|shred -u a|find . -delete|find src -name x -delete|" +
      "git clean -fdx|git -C x clean -f|rsync -a --delete src/ b/|rsync --del a b|mv a.txt /x|mv -t /x a.txt|tar --remove-files -cf x a|" +
      "sudo rm x|env A=b rm x|npm exec rm x|npx rimraf x|strange install rm x|docker exec c rm x|strange --odd rm x|rm ?",
  ],
  [
    "overwrites",
    "cp a.txt b.txt|mv a.txt b.txt|cp a.txt dir|cp -t dir a.txt|cp --target-directory=dir a.txt|cp -r src/. dir|cp x ?|" +
      "mv ? x|ln -sf x a.txt|ln -f x a.txt|install x a.txt|tee a.txt|tee -a a.txt|truncate -s 0 a.txt|dd if=x of=a.txt|" +
      "sed -i s/a/b/ a.txt|sed -i.bak s/a/b/ a.txt|sed -ni p a.txt|sed --in-place=x p a.txt|perl -pi -e s/a/b/ a.txt|" +
      "perl -i.bak -pe x a.txt|ruby -i -pe x a.txt|awk -i inplace {} a.txt|patch -p1|sort -o a.txt b.txt|sort -oa.txt x|" +
      "curl -o a.txt http://x|curl -soa.txt x|wget -O a.txt x|gzip a.txt|prettier --write a.txt|gofmt -w a.txt|" +
      "find . -fprint a.txt|uniq x a.txt|xxd x a.txt|curl -O http://x/a.txt|curl -sO http://x/a.txt|git diff --output=a.txt|git apply x.patch|rsync -a x dir|sed ? a.txt|sed wx a.txt",
  ],
  [
    "history",
    "git reset --hard|git reset|git rebase main|git commit --amend|git commit --am|git commit -m x --amend|" +
      "git filter-branch x|git branch -D x|git branch -d x|git branch --delete x|git tag -d x|git tag -f x|" +
      "git reflog expire --all|git gc --prune=now|git update-ref x y|git stash drop|git stash clear|git stash pop|" +
      "git checkout -- a.txt|git checkout .|git restore a.txt|git rm a.txt|git switch -C x|git switch --discard-changes x|git checkout -B x|git checkout -fb x|" +
      "git pull --rebase|git worktree remove x|git -c a.b=c reset|git --git-dir x reset|hg commit|svn ci|jj abandon",
  ],
  [
    "repository",
    "git add .|git commit -m x|git merge x|git fetch|git pull|git stash|git tag v1|git branch x|git checkout-x|git init|" +
      "git config a.b c|git remote add x y|git cherry-pick x|git revert x|git mv a b|git ? x|git unknown|git worktree add x|" +
      "git submodule update|git switch x|git grep -O x|sudo git add .|git checkout -b x|git checkout -b x main|" +
      "git config --unset a.b|git config --unset-all a.b|git config --remove-section a.b|git config edit|git config -f x a.b",
  ],
  [
    "publishes",
    "git push|git push --force|git -C x push|npm publish|pnpm publish|yarn npm publish|bun publish|npm unpublish x|" +
      "npm run deploy|make deploy|cargo publish|twine upload x|python -m twine upload x|gem push x|docker push x|" +
      "docker buildx build --push .|gh pr create|gh pr merge 1|gh api -X POST x|gh release create|glab mr create|" +
      "kubectl apply -f x|kubectl delete pod x|helm upgrade x|terraform apply|terraform destroy|aws s3 cp a b|" +
      "aws s3 rm x|gcloud run deploy|az vm delete|ssh host ls|scp a h:b|rsync -a x host:y|curl -d x http://x|" +
      "curl -X POST http://x|curl -sXPUT x|curl -d x localhost -x y|curl -d x localhost http://a.b|curl -d x localhost a.b|curl -d x localhost ?|curl -d x http://localhost.a.b|curl -d x http://localhost@a.b|curl --data-binary @a x|curl -F a=b x|curl -T a x|curl --json x y|" +
      "wget --post-data=x y|sendmail x|nc host 1|git lfs push x|git svn dcommit|sudo npm publish|vercel --prod",
  ],
  [
    "nothing",
    "npm test|npm install x|npm ci|make|make test|cargo test --release|go test ./...|pytest -x|node x.js|python3 x.py|" +
      "tsc|mkdir x|touch x|cp a.txt new|mv a.txt new|ln -s x y|ln -s x a.txt|tee new|rm|sed s/a/b/ a.txt|perl x.pl a.txt|" +
      "ruby -Ilib a.txt|git status|git diff|git log -p|git show|git stash list|git branch|git branch -av|git tag -l x|" +
      "git config --get x|git remote -v|git ls-remote|gh pr view 1|gh pr list|kubectl get pods|terraform plan|" +
      "aws s3 ls|curl http://x|curl -sSfL http://x -o new|curl -X GET x|wget x|docker build .|find . -name x|" +
      "npm install|pip install -r a.txt|python3 -m pip install -e .|npm install -D rimraf a.txt|npm version patch|git config user.name|" +
      "curl -d x http://localhost:3000/a|curl -X POST -H a:b 127.0.0.1:8000|sort a.txt|dd if=a.txt of=new|gzip -k a.txt|gzip -dc a.txt|hg status|truncate -s 0 new|chmod +x a.txt",
  ],
])("%s", (kind, commands) => {
  const wrong = commands.split("|").filter((command) => kindOf(command) !== kind);
  expect(wrong.map((command) => `${command}: ${kindOf(command)}`)).toEqual([]);
});
